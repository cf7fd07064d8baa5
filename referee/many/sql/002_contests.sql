-- Matches, tournaments and gradings hand out units too. They end, and take back
-- what they do not need any more.

-- What no worker has begun comes back to its client.
CREATE FUNCTION referee.withdraw(its_client text) RETURNS SETOF text
LANGUAGE sql AS $$
    WITH free AS MATERIALIZED (
        SELECT w.place, w.unit FROM referee.waiting w
        JOIN referee.units u ON u.id = w.unit
        WHERE u.client = its_client
        FOR UPDATE OF w SKIP LOCKED),
    gone AS (
        DELETE FROM referee.waiting w USING free f WHERE w.place = f.place)
    DELETE FROM referee.units u USING free f WHERE u.id = f.unit
    RETURNING u.id
$$;

-- Nobody needs it any more. What was delivered, and does not count, goes too:
-- the same games may be played again.
CREATE OR REPLACE FUNCTION referee.drop_unit(its_unit text) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM referee.waiting WHERE unit = its_unit;
    DELETE FROM referee.leases WHERE unit = its_unit;
    DELETE FROM referee.arrivals WHERE unit = its_unit;
    WITH gone AS (
        DELETE FROM referee.units WHERE id = its_unit RETURNING day)
    DELETE FROM referee.records r USING gone g
    WHERE r.day = g.day AND r.unit = its_unit;
$$;
