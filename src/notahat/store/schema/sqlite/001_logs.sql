CREATE TABLE tables (
    id BLOB PRIMARY KEY,
    version INTEGER NOT NULL,
    touched REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE commits (
    table_id BLOB NOT NULL,
    version INTEGER NOT NULL,
    command TEXT NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (table_id, version)
);
CREATE UNIQUE INDEX commits_command ON commits (table_id, command);

CREATE TABLE snapshots (
    table_id BLOB PRIMARY KEY,
    version INTEGER NOT NULL,
    schema INTEGER NOT NULL,
    state BLOB NOT NULL
);

CREATE TABLE aliases (
    code TEXT PRIMARY KEY,
    table_id BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX aliases_table ON aliases (table_id);
