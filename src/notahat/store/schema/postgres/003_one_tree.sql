-- One index per append: the command id is a column of the row, and the newest version is the newest row.
CREATE TABLE notahat.log (
    table_id uuid NOT NULL,
    version bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    command text NOT NULL,
    events bytea NOT NULL,
    PRIMARY KEY (table_id, version)
);
INSERT INTO notahat.log
    SELECT table_id, commits.version, touched, command, events
    FROM notahat.commits JOIN notahat.tables ON id = table_id ORDER BY table_id, commits.version;
DROP TABLE notahat.commits;
ALTER TABLE notahat.tables DROP COLUMN version;

-- Presence leases, one per node and table. Presence is worthless after a crash, so the table is unlogged.
DROP TABLE notahat.leases;
CREATE UNLOGGED TABLE notahat.holds (
    table_id uuid NOT NULL,
    node text NOT NULL,
    guests uuid[] NOT NULL,
    expires timestamptz NOT NULL,
    PRIMARY KEY (table_id, node)
);
