-- Moves of all tables one after the other in one tree: what is committed together lies together. Each row knows the
-- place of its table's row before it, and a table knows the place of its newest row, as it was when that was noted.
CREATE TABLE log (
    place INTEGER PRIMARY KEY,
    before INTEGER NOT NULL,
    table_id BLOB NOT NULL,
    version INTEGER NOT NULL,
    at REAL NOT NULL,
    command TEXT NOT NULL,
    events BLOB NOT NULL
);
INSERT INTO log
    SELECT row_number() OVER oldest_first, CASE commits.version WHEN 1 THEN 0 ELSE row_number() OVER oldest_first - 1 END,
    table_id, commits.version, touched, command, events FROM commits JOIN tables ON id = table_id
    WINDOW oldest_first AS (ORDER BY table_id, commits.version);
DROP TABLE commits;
ALTER TABLE tables DROP COLUMN version;
ALTER TABLE tables ADD COLUMN newest INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET newest = place FROM (SELECT table_id, max(place) AS place FROM log GROUP BY table_id) WHERE table_id = id;

-- Who writes, and up to which place the tables know their newest rows. A process that finds another's name here knows
-- that it does not know everything any more.
CREATE TABLE pen (
    owner BLOB NOT NULL,
    noted INTEGER NOT NULL
);
INSERT INTO pen SELECT x'', COALESCE(max(place), 0) FROM log;
