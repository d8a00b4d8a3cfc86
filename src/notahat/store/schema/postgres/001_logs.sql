CREATE TABLE notahat.tables (
    id uuid PRIMARY KEY,
    version bigint NOT NULL,
    touched timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE notahat.commits (
    table_id uuid NOT NULL REFERENCES notahat.tables ON DELETE CASCADE,
    version bigint NOT NULL,
    command text NOT NULL,
    events bytea NOT NULL,
    PRIMARY KEY (table_id, version)
);
CREATE UNIQUE INDEX commits_command ON notahat.commits (table_id, command);

CREATE TABLE notahat.snapshots (
    table_id uuid PRIMARY KEY REFERENCES notahat.tables ON DELETE CASCADE,
    version bigint NOT NULL,
    schema integer NOT NULL,
    state bytea NOT NULL
);

CREATE TABLE notahat.aliases (
    code text PRIMARY KEY,
    table_id uuid NOT NULL REFERENCES notahat.tables ON DELETE CASCADE
);
CREATE INDEX aliases_table ON notahat.aliases (table_id);
