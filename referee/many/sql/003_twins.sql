-- A sample of units is played by two workers, and what bots write to standard
-- error travels to their owners.

-- What bots of a unit wrote, and why they left, as JSON (said.h). It goes when
-- the unit counts: its client keeps it then.
CREATE TABLE referee.said (
    unit text PRIMARY KEY,
    said text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- Units that are played twice.
CREATE TABLE referee.twins (
    unit text PRIMARY KEY,              -- the second unit; this is secret
    original text NOT NULL,
    first_worker text NOT NULL,
    second_worker text,
    names text NOT NULL,                -- its bots, separated by blanks
    put timestamptz NOT NULL DEFAULT now(),
    done timestamptz,
    bot text,                           -- whose first move, or end, differs
    differs text                        -- NULL: no difference
);
CREATE INDEX twins_done ON referee.twins (done);

CREATE FUNCTION referee.put_twin(its_client text, its_id text, its_day date,
                                 its_min_speed real, its_orders text,
                                 its_original text, its_worker text,
                                 its_names text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- Without another worker it would wait forever.
    PERFORM 1 FROM referee.workers w
    WHERE w.name <> its_worker AND w.until > now() AND NOT w.drains
        AND w.blocked IS NULL AND w.speed >= its_min_speed;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO referee.units (id, client, day, min_speed, orders)
    VALUES (its_id, its_client, its_day, its_min_speed, its_orders)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO referee.twins (unit, original, first_worker, names)
    VALUES (its_id, its_original, its_worker, its_names);
    INSERT INTO referee.waiting (unit, min_speed, avoid)
    VALUES (its_id, its_min_speed, its_worker);
END $$;

-- Store the comparison. The second play does not count.
CREATE FUNCTION referee.twin_done(its_unit text, second text, who text,
                                  what text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    first text;
BEGIN
    UPDATE referee.twins t
    SET done = now(), second_worker = second, bot = who, differs = what
    WHERE t.unit = its_unit AND t.done IS NULL
    RETURNING t.first_worker INTO first;
    IF FOUND THEN
        UPDATE referee.workers w
        SET twins = w.twins + 1, odd = w.odd + (what IS NOT NULL)::int
        WHERE w.name IN (first, second);
    END IF;
    PERFORM referee.drop_unit(its_unit);
END $$;

CREATE OR REPLACE FUNCTION referee.drop_unit(its_unit text) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM referee.waiting WHERE unit = its_unit;
    DELETE FROM referee.leases WHERE unit = its_unit;
    DELETE FROM referee.arrivals WHERE unit = its_unit;
    DELETE FROM referee.said WHERE unit = its_unit;
    DELETE FROM referee.twins WHERE unit = its_unit AND done IS NULL;
    WITH gone AS (
        DELETE FROM referee.units WHERE id = its_unit RETURNING day)
    DELETE FROM referee.records r USING gone g
    WHERE r.day = g.day AND r.unit = its_unit;
$$;

-- A worker that could not play a unit does not get it again while there are
-- others.
DROP FUNCTION referee.wait_again(text, text);
CREATE FUNCTION referee.wait_again(its_unit text, reason text, who text)
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    u referee.units;
BEGIN
    UPDATE referee.units x
    SET tries = x.tries + (reason IS NOT NULL)::int,
        why = coalesce(reason, x.why)
    WHERE x.id = its_unit RETURNING * INTO u;
    IF NOT FOUND THEN
        RETURN;
    ELSIF u.tries >= 5 THEN
        INSERT INTO referee.arrivals (client, unit)
        VALUES (u.client, its_unit);
    ELSE
        INSERT INTO referee.waiting (unit, min_speed, avoid)
        VALUES (its_unit, u.min_speed, coalesce(
            (SELECT t.first_worker FROM referee.twins t
             WHERE t.unit = its_unit),
            (SELECT who FROM referee.workers w
             WHERE w.name <> who AND w.until > now() AND NOT w.drains
                AND w.blocked IS NULL AND w.speed >= u.min_speed LIMIT 1)));
    END IF;
END $$;

CREATE OR REPLACE FUNCTION referee.give_back(who text, its_unit text,
                                             its_token bigint, reason text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM referee.leases l
    WHERE l.unit = its_unit AND l.worker = who AND l.token = its_token;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM referee.wait_again(its_unit, reason,
        CASE WHEN reason IS NOT NULL THEN who END);
    IF reason IS NOT NULL THEN
        UPDATE referee.workers w
        SET given_back = w.given_back + 1, last_failure = reason
        WHERE w.name = who;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION referee.refuse(its_unit text, who text, reason text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM referee.records r USING referee.units u
        WHERE u.id = its_unit AND r.day = u.day AND r.unit = its_unit
        RETURNING r.id, r.worker, r.bytes)
    INSERT INTO referee.refused (unit, id, worker, why, bytes)
    SELECT its_unit, g.id, g.worker, reason, g.bytes FROM gone g;
    DELETE FROM referee.arrivals a WHERE a.unit = its_unit;
    DELETE FROM referee.said s WHERE s.unit = its_unit;
    UPDATE referee.workers w
    SET refused = w.refused + 1, last_failure = reason, blocked = reason
    WHERE w.name = who;
    PERFORM referee.wait_again(its_unit, NULL, NULL);
END $$;

-- End the leases of workers that are not heard of any more. Also end what
-- nobody waits for: units of a client that is gone for good, and twins that no
-- worker may play.
CREATE OR REPLACE FUNCTION referee.expire() RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
    dead record;
    count int := 0;
BEGIN
    FOR dead IN
        DELETE FROM referee.leases d WHERE d.unit IN (
            SELECT l.unit FROM referee.leases l
            JOIN referee.workers w ON w.name = l.worker
            WHERE w.until < now()
            LIMIT 1000 FOR UPDATE OF l SKIP LOCKED)
        RETURNING d.unit, d.worker
    LOOP
        PERFORM referee.wait_again(dead.unit,
            format('worker %s was not heard of any more', dead.worker), NULL);
        UPDATE referee.workers w SET expired = w.expired + 1
        WHERE w.name = dead.worker;
        count := count + 1;
    END LOOP;
    PERFORM referee.drop_unit(old.unit) FROM (
        SELECT u.id AS unit FROM referee.units u
        WHERE u.day < current_date - 7
        UNION ALL
        SELECT t.unit FROM referee.twins t
        WHERE t.done IS NULL AND t.put < now() - interval '1 hour'
        LIMIT 100) old;
    PERFORM setval('referee.low', greatest(1, low.place))
    FROM (SELECT min(x.place) AS place FROM referee.waiting x) low
    WHERE low.place IS NOT NULL;
    RETURN count;
END $$;

CREATE OR REPLACE FUNCTION referee.accept(its_unit text, its_event text,
                                          ids text[], summaries text[])
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    u referee.units;
BEGIN
    DELETE FROM referee.units x WHERE x.id = its_unit RETURNING * INTO u;
    DELETE FROM referee.arrivals a WHERE a.unit = its_unit;
    DELETE FROM referee.said s WHERE s.unit = its_unit;
    IF u.id IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO referee.games (day, id, client, event, worker, summary)
    SELECT r.day, r.id, r.client, its_event, r.worker, g.summary
    FROM unnest(ids, summaries) AS g(id, summary)
    JOIN referee.records r ON r.day = u.day AND r.id = g.id
    ON CONFLICT DO NOTHING;
END $$;

DROP FUNCTION referee.deliver(text, text, bigint, date, text[], text[], int[],
                              bytea, int, int);
CREATE FUNCTION referee.deliver(who text, its_unit text, its_token bigint,
                                its_day date, ids text[], hashes text[],
                                lengths int[], bytes bytea, its_seats int,
                                its_forfeits int, its_said text DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    u referee.units;
    at int := 1;
BEGIN
    PERFORM 1 FROM referee.leases l
    WHERE l.unit = its_unit AND l.worker = who AND l.token = its_token
    FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM 1 FROM referee.records r
        WHERE r.day = its_day AND r.unit = its_unit AND r.worker = who
            AND r.hash = hashes[1];
        IF FOUND THEN
            RETURN 'known';
        END IF;
        UPDATE referee.workers w SET late = w.late + 1 WHERE w.name = who;
        RETURN 'late';
    END IF;
    SELECT * INTO u FROM referee.units x WHERE x.id = its_unit;
    FOR i IN 1 .. array_length(ids, 1) LOOP
        INSERT INTO referee.records
            (day, unit, part, id, client, worker, hash, bytes)
        VALUES (u.day, its_unit, i, ids[i], u.client, who, hashes[i],
                substring(bytes FROM at FOR lengths[i]));
        at := at + lengths[i];
    END LOOP;
    IF its_said IS NOT NULL THEN
        INSERT INTO referee.said (unit, said) VALUES (its_unit, its_said)
        ON CONFLICT DO NOTHING;
    END IF;
    DELETE FROM referee.leases l WHERE l.unit = its_unit;
    INSERT INTO referee.arrivals (client, unit) VALUES (u.client, its_unit);
    UPDATE referee.workers w SET units = w.units + 1,
        games = w.games + array_length(ids, 1), seats = w.seats + its_seats,
        forfeits = w.forfeits + its_forfeits
    WHERE w.name = who;
    RETURN 'taken';
END $$;
