CREATE TABLE notahat.guests (
    hash bytea PRIMARY KEY,
    id uuid NOT NULL,
    seen timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE notahat.tickets (
    hash bytea PRIMARY KEY,
    guest uuid NOT NULL,
    expires timestamptz NOT NULL
);

-- Presence is worthless after a crash, so the table is unlogged.
CREATE UNLOGGED TABLE notahat.leases (
    table_id uuid NOT NULL,
    guest uuid NOT NULL,
    node text NOT NULL,
    expires timestamptz NOT NULL,
    PRIMARY KEY (table_id, guest, node)
);
