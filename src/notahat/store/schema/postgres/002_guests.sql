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

-- Presence is worth nothing after a crash, so it need not be written ahead.
CREATE UNLOGGED TABLE notahat.leases (
    table_id uuid NOT NULL,
    guest uuid NOT NULL,
    node text NOT NULL,
    expires timestamptz NOT NULL,
    PRIMARY KEY (table_id, guest, node)
);
