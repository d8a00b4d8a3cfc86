-- A row per commit, and the key is the compare-and-set of an append. The files of 0.2.0 have this log already, those of
-- 0.3.0 one in which every row leads to the one before. Tables with a negative time were being deleted.
ALTER TABLE log RENAME TO old_log;
ALTER TABLE tables RENAME TO old_tables;
CREATE TABLE tables (
    id BLOB PRIMARY KEY,
    touched REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE log (
    table_id BLOB NOT NULL,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    command TEXT NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (table_id, version)
) WITHOUT ROWID;
INSERT INTO tables SELECT id, touched FROM old_tables WHERE touched >= 0;
INSERT OR REPLACE INTO log
    SELECT table_id, version, at, command, events FROM old_log WHERE table_id IN (SELECT id FROM tables);
DROP TABLE old_tables;
DROP TABLE old_log;
DROP TABLE IF EXISTS pen;
