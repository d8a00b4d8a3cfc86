-- One tree for a move: the command's id stands in its row, and the newest version is the newest row.
CREATE TABLE log (
    table_id BLOB NOT NULL,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    command TEXT NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (table_id, version)
) WITHOUT ROWID;
INSERT INTO log
    SELECT table_id, commits.version, touched, command, events FROM commits JOIN tables ON id = table_id
    ORDER BY table_id, commits.version;
DROP TABLE commits;
ALTER TABLE tables DROP COLUMN version;
