-- What a front and its workers share.
--
--     put_units()       claim()          deliver()            accept()
--  front --> units, waiting --> leases --> records, arrivals --> games
--                ^                |                  |
--                +--- give_back(), expire() ---------+ refuse()
--
-- A unit is in exactly one of waiting, leases and arrivals until it is
-- accepted. Every step is one call, and so one transaction.

CREATE TABLE referee.bots (
    digest text PRIMARY KEY,            -- SHA-256 of the pack
    pack bytea NOT NULL,                -- its files, as tar
    added timestamptz NOT NULL DEFAULT now()
);

-- One row for each worker; its heartbeat updates the row.
CREATE TABLE referee.workers (
    name text PRIMARY KEY,
    key text NOT NULL,                  -- its public key, in hex
    host text NOT NULL,
    program text NOT NULL,              -- version of its program
    slots int NOT NULL,                 -- games it plays at once
    playing int NOT NULL DEFAULT 0,
    speed real NOT NULL,                -- from a fixed task; 100 is usual
    began timestamptz NOT NULL DEFAULT now(),
    until timestamptz NOT NULL,         -- how long its leases last
    beat timestamptz NOT NULL DEFAULT now(),
    drains boolean NOT NULL DEFAULT false,
    blocked text,                       -- why it gets no more work
    units bigint NOT NULL DEFAULT 0,
    games bigint NOT NULL DEFAULT 0,
    given_back bigint NOT NULL DEFAULT 0,
    expired bigint NOT NULL DEFAULT 0,
    late bigint NOT NULL DEFAULT 0,
    refused bigint NOT NULL DEFAULT 0,
    twins bigint NOT NULL DEFAULT 0,    -- units that another worker played too
    odd bigint NOT NULL DEFAULT 0,      -- twins that differed
    forfeits bigint NOT NULL DEFAULT 0, -- seats lost on time or by a crash
    seats bigint NOT NULL DEFAULT 0,
    last_failure text
) WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE referee.units (
    id text PRIMARY KEY,
    client text NOT NULL,               -- the client that waits for it
    day date NOT NULL,                  -- the day of its records
    min_speed real NOT NULL,
    orders text NOT NULL,               -- what to play, as JSON
    tries int NOT NULL DEFAULT 0,
    why text                            -- why it was last given back
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX units_client ON referee.units (client);

CREATE TABLE referee.waiting (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    unit text NOT NULL,
    min_speed real NOT NULL,
    avoid text                          -- a worker that must not get it
) WITH (autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- No unit waits before this place, or it will soon be found again. It is a
-- sequence because a sequence leaves no dead rows. With it, claims skip the
-- dead rows of `waiting`, however long an old transaction keeps them.
CREATE SEQUENCE referee.low;

CREATE TABLE referee.leases (
    unit text PRIMARY KEY,
    worker text NOT NULL,
    token bigint GENERATED ALWAYS AS IDENTITY,
    taken timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX leases_worker ON referee.leases (worker);

-- Complete records, as signed by their worker.
CREATE TABLE referee.records (
    day date NOT NULL,
    unit text NOT NULL,
    part int NOT NULL,
    id text NOT NULL,                   -- id of the game
    client text NOT NULL,
    worker text NOT NULL,
    hash text NOT NULL,                 -- stated in the record
    bytes bytea NOT NULL,
    delivered timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (day, unit, part),
    UNIQUE (day, id)
) PARTITION BY RANGE (day);
CREATE TABLE referee.records_rest PARTITION OF referee.records DEFAULT;

-- The result of a game, once its client has verified the record.
CREATE TABLE referee.games (
    day date NOT NULL,
    id text NOT NULL,
    client text NOT NULL,
    event text NOT NULL,
    worker text NOT NULL,
    summary text NOT NULL,              -- "result ranks=1,2 ...", or "void"
    accepted timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (day, id)
) PARTITION BY RANGE (day);
CREATE TABLE referee.games_rest PARTITION OF referee.games DEFAULT;

CREATE TABLE referee.arrivals (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client text NOT NULL,
    unit text NOT NULL                  -- delivered, or given up
) WITH (autovacuum_vacuum_scale_factor = 0,
        autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX arrivals_client ON referee.arrivals (client, seq);

-- Records that did not count, kept for inspection.
CREATE TABLE referee.refused (
    unit text NOT NULL,
    id text NOT NULL,
    worker text NOT NULL,
    why text NOT NULL,
    bytes bytea NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);

-- One partition for each month; records of other months go to the default.
CREATE FUNCTION referee.make_partitions(first date) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    start date := date_trunc('month', first);
    until date := start + interval '1 month';
    called text;
    what text;
BEGIN
    FOREACH what IN ARRAY ARRAY['records', 'games'] LOOP
        called := format('%s_%s', what, to_char(start, 'YYYYMM'));
        IF to_regclass('referee.' || called) IS NULL THEN
            EXECUTE format('CREATE TABLE referee.%I PARTITION OF referee.%I '
                           'FOR VALUES FROM (%L) TO (%L)',
                           called, what, start, until);
        END IF;
    END LOOP;
EXCEPTION
    -- Another process was faster, or the default already has records of this
    -- month.
    WHEN duplicate_table OR check_violation THEN NULL;
END $$;

-- A worker begins. The answer lists its old leases, so that it can deliver them
-- or give them back. The name of another worker is refused.
CREATE FUNCTION referee.hello(who text, its_key text, its_host text,
                              its_program text, its_slots int, its_speed real,
                              lease_s int)
RETURNS TABLE (unit text, token bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO referee.workers
        (name, key, host, program, slots, speed, until)
    VALUES (who, its_key, its_host, its_program, its_slots, its_speed,
            now() + make_interval(secs => lease_s))
    ON CONFLICT (name) DO UPDATE SET
        host = its_host, program = its_program, slots = its_slots,
        speed = its_speed, until = excluded.until, began = now(),
        beat = now(), drains = false
    WHERE workers.key = its_key;
    IF NOT FOUND THEN
        RAISE 'another worker is called %: say --name', who
            USING ERRCODE = 'RF001';
    END IF;
    RETURN QUERY SELECT l.unit, l.token FROM referee.leases l
        WHERE l.worker = who;
END $$;

-- Its heartbeat, which renews all its leases.
CREATE FUNCTION referee.beat(who text, its_playing int, its_speed real,
                             lease_s int)
RETURNS TABLE (drains boolean, blocked text)
LANGUAGE sql AS $$
    UPDATE referee.workers w
    SET until = now() + make_interval(secs => lease_s), beat = now(),
        playing = its_playing, speed = its_speed
    WHERE w.name = who
    RETURNING w.drains, w.blocked
$$;

CREATE FUNCTION referee.claim(who text, most int)
RETURNS TABLE (unit text, token bigint, orders text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    pace real;
    low bigint;
BEGIN
    SELECT w.speed INTO pace FROM referee.workers w
    WHERE w.name = who AND NOT w.drains AND w.blocked IS NULL
        AND w.until > now();
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT last_value INTO low FROM referee.low;
    RETURN QUERY
    WITH next AS MATERIALIZED (
        SELECT x.place FROM referee.waiting x
        WHERE x.place >= low AND x.min_speed <= pace
            AND (x.avoid IS NULL OR x.avoid <> who)
        ORDER BY x.place
        LIMIT most FOR UPDATE SKIP LOCKED),
    taken AS (
        DELETE FROM referee.waiting w WHERE w.place IN
            (SELECT n.place FROM next n)
        RETURNING w.unit),
    leased AS (
        INSERT INTO referee.leases (unit, worker)
        SELECT t.unit, who FROM taken t
        RETURNING leases.unit, leases.token)
    SELECT l.unit, l.token, u.orders
    FROM leased l JOIN referee.units u ON u.id = l.unit;
END $$;

-- Put units to be played. A unit that exists, or existed, is not put again.
CREATE FUNCTION referee.put_unit(its_client text, its_id text, its_day date,
                                 its_min_speed real, its_orders text)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM referee.records r
               WHERE r.day = its_day AND r.unit = its_id) THEN
        RETURN false;
    END IF;
    INSERT INTO referee.units (id, client, day, min_speed, orders)
    VALUES (its_id, its_client, its_day, its_min_speed, its_orders)
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO referee.waiting (unit, min_speed)
    VALUES (its_id, its_min_speed);
    RETURN true;
END $$;

-- Store records and end the lease: 'taken'. 'known': this worker has already
-- delivered them. 'late': the lease has expired, and nothing is stored.
CREATE FUNCTION referee.deliver(who text, its_unit text, its_token bigint,
                                its_day date, ids text[], hashes text[],
                                lengths int[], bytes bytea, its_seats int,
                                its_forfeits int)
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
    DELETE FROM referee.leases l WHERE l.unit = its_unit;
    INSERT INTO referee.arrivals (client, unit) VALUES (u.client, its_unit);
    UPDATE referee.workers w SET units = w.units + 1,
        games = w.games + array_length(ids, 1), seats = w.seats + its_seats,
        forfeits = w.forfeits + its_forfeits
    WHERE w.name = who;
    RETURN 'taken';
END $$;

-- A unit waits again, after the others. If it was tried too often, its client
-- is told instead.
CREATE FUNCTION referee.wait_again(its_unit text, reason text)
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
        INSERT INTO referee.waiting (unit, min_speed)
        VALUES (its_unit, u.min_speed);
    END IF;
END $$;

-- A worker cannot play a unit and gives a reason, or it stops and gives none.
CREATE FUNCTION referee.give_back(who text, its_unit text, its_token bigint,
                                  reason text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM referee.leases l
    WHERE l.unit = its_unit AND l.worker = who AND l.token = its_token;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM referee.wait_again(its_unit, reason);
    IF reason IS NOT NULL THEN
        UPDATE referee.workers w
        SET given_back = w.given_back + 1, last_failure = reason
        WHERE w.name = who;
    END IF;
END $$;

-- End the leases of workers that are not heard of any more.
CREATE FUNCTION referee.expire() RETURNS int
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
            format('worker %s was not heard of any more', dead.worker));
        UPDATE referee.workers w SET expired = w.expired + 1
        WHERE w.name = dead.worker;
        count := count + 1;
    END LOOP;
    PERFORM setval('referee.low', greatest(1, low.place))
    FROM (SELECT min(x.place) AS place FROM referee.waiting x) low
    WHERE low.place IS NOT NULL;
    RETURN count;
END $$;

-- The records of a unit are correct, and count.
CREATE FUNCTION referee.accept(its_unit text, its_event text, ids text[],
                               summaries text[])
RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    u referee.units;
BEGIN
    DELETE FROM referee.units x WHERE x.id = its_unit RETURNING * INTO u;
    DELETE FROM referee.arrivals a WHERE a.unit = its_unit;
    IF u.id IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO referee.games (day, id, client, event, worker, summary)
    SELECT r.day, r.id, r.client, its_event, r.worker, g.summary
    FROM unnest(ids, summaries) AS g(id, summary)
    JOIN referee.records r ON r.day = u.day AND r.id = g.id
    ON CONFLICT DO NOTHING;
END $$;

-- The records are wrong: they are set aside, the worker gets no more work, and
-- another one plays the unit.
CREATE FUNCTION referee.refuse(its_unit text, who text, reason text)
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
    UPDATE referee.workers w
    SET refused = w.refused + 1, last_failure = reason, blocked = reason
    WHERE w.name = who;
    PERFORM referee.wait_again(its_unit, NULL);
END $$;

-- Cancel a unit that nobody needs any more.
CREATE FUNCTION referee.drop_unit(its_unit text) RETURNS void
LANGUAGE sql AS $$
    DELETE FROM referee.waiting WHERE unit = its_unit;
    DELETE FROM referee.leases WHERE unit = its_unit;
    DELETE FROM referee.arrivals WHERE unit = its_unit;
    DELETE FROM referee.units WHERE id = its_unit;
$$;

-- The state of the queue in one row, for monitoring.
CREATE FUNCTION referee.figures()
RETURNS TABLE (workers bigint, playing bigint, waiting bigint,
               dead_rows bigint, oldest_s bigint, them text)
LANGUAGE sql STABLE AS $$
    SELECT (SELECT count(*) FROM referee.workers WHERE until > now()),
        (SELECT count(*) FROM referee.leases),
        (SELECT count(*) FROM referee.waiting
         WHERE place >= (SELECT last_value FROM referee.low)),
        (SELECT coalesce(sum(n_dead_tup), 0)::bigint FROM pg_stat_user_tables
         WHERE schemaname = 'referee' AND relname IN
            ('waiting', 'leases', 'units', 'arrivals', 'workers')),
        (SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::bigint
         FROM pg_stat_activity WHERE datname = current_database()
            AND pid <> pg_backend_pid()),
        (SELECT coalesce(json_agg(json_build_object(
                'name', name, 'host', host, 'program', program,
                'slots', slots, 'playing', playing, 'speed', round(speed),
                'there', until > now(), 'drains', drains, 'blocked', blocked,
                'beat_s', extract(epoch FROM now() - beat)::int,
                'up_s', extract(epoch FROM now() - began)::int,
                'units', units, 'games', games, 'given_back', given_back,
                'expired', expired, 'late', late, 'refused', refused,
                'twins', twins, 'odd', odd, 'forfeits', forfeits,
                'seats', seats, 'last_failure', last_failure)
            ORDER BY name), '[]')::text
         FROM referee.workers WHERE beat > now() - interval '1 day'
            OR refused > 0)
$$;
