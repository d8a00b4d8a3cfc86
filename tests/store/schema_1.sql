-- A SQLite file as the first schema left it: one table with a code and two commits.
CREATE TABLE tables (id BLOB PRIMARY KEY, version INTEGER NOT NULL, touched REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE commits (table_id BLOB NOT NULL, version INTEGER NOT NULL, command TEXT NOT NULL, events BLOB NOT NULL, PRIMARY KEY (table_id, version));
CREATE UNIQUE INDEX commits_command ON commits (table_id, command);
CREATE TABLE snapshots (table_id BLOB PRIMARY KEY, version INTEGER NOT NULL, schema INTEGER NOT NULL, state BLOB NOT NULL);
CREATE TABLE aliases (code TEXT PRIMARY KEY, table_id BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX aliases_table ON aliases (table_id);
INSERT INTO tables VALUES (x'6ba7b8109dad41d180b400c04fd430c8', 2, 1700000000.0);
INSERT INTO commits VALUES (x'6ba7b8109dad41d180b400c04fd430c8', 1, 'a', x'6f6e65');
INSERT INTO commits VALUES (x'6ba7b8109dad41d180b400c04fd430c8', 2, 'b', x'74776f');
INSERT INTO aliases VALUES ('K7QX', x'6ba7b8109dad41d180b400c04fd430c8');
PRAGMA user_version = 1;
