-- The commits of all tables in one tree, in the order of writing: a batch touches few pages. `before` is the row number
-- of the table's previous row, and `tables.newest` that of its newest row, as far as it was recorded.
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

-- The writer lock: its owner, and the last row that is recorded in `tables`. A process that finds another owner here
-- must read the log before it appends.
CREATE TABLE pen (
    owner BLOB NOT NULL,
    noted INTEGER NOT NULL
);
INSERT INTO pen SELECT x'', COALESCE(max(place), 0) FROM log;
