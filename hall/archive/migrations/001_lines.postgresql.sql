-- The truth: the lines of all games as the boards sent them. They only grow.
CREATE TABLE lines (
    companion TEXT NOT NULL,            -- the identity of the store at the board
    game INTEGER NOT NULL,              -- the number of the game in it
    line INTEGER NOT NULL,              -- 0 begins the game
    site TEXT NOT NULL,
    board TEXT NOT NULL,
    kind TEXT NOT NULL,                 -- begin, action, takeback, refused, ...
    text TEXT NOT NULL,
    by TEXT NOT NULL,
    source TEXT NOT NULL,
    certainty DOUBLE PRECISION,
    time DOUBLE PRECISION NOT NULL,     -- seconds since 1970, by the board's clock; 0 where nobody knows
    clock DOUBLE PRECISION,             -- seconds that the player had left
    head JSON NOT NULL,                 -- names and tags
    player TEXT NOT NULL,
    written TEXT NOT NULL,
    plies INTEGER NOT NULL,             -- how many actions stand after this line
    rules JSON NOT NULL,                -- the numbers of the rules that a refused action breaks
    winner TEXT,
    reason TEXT NOT NULL,               -- why the game is over after this line; '' while it goes on
    arrived DOUBLE PRECISION NOT NULL,  -- seconds since 1970, by the archive's clock
    PRIMARY KEY (companion, game, line));
CREATE INDEX lines_that_are_no_actions ON lines (kind, companion, game, line, plies) WHERE kind <> 'action';

-- What the lines of each game come to, so that nobody has to read them all: its beginning, and how it stands
-- after its highest line. Every line can be added in any order, and twice, and the row comes out the same.
CREATE TABLE summaries (
    companion TEXT NOT NULL,
    game INTEGER NOT NULL,
    site TEXT, board TEXT, text TEXT, started DOUBLE PRECISION,  -- of line 0; empty while it is not there
    head JSON NOT NULL,                -- names and tags, after all changes
    last_line INTEGER NOT NULL,
    plies INTEGER NOT NULL, winner TEXT, reason TEXT NOT NULL,  -- of the last line
    open_line INTEGER NOT NULL,         -- the highest line after which the game went on; -1 for none yet
    PRIMARY KEY (companion, game));

-- The seats of each game, in their order, as its rules have them.
CREATE TABLE seats (
    companion TEXT NOT NULL,
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    player TEXT NOT NULL,
    PRIMARY KEY (companion, game, player));

-- What came and is no line of a game that could be kept.
CREATE TABLE oddities (
    digest TEXT PRIMARY KEY,            -- of topic and payload: what comes again is kept once
    arrived DOUBLE PRECISION NOT NULL,
    topic TEXT NOT NULL,
    payload BYTEA NOT NULL,
    why TEXT NOT NULL);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'an archive only grows'; END $$;
CREATE TRIGGER lines_stay BEFORE UPDATE OR DELETE ON lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER lines_remain BEFORE TRUNCATE ON lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What PostgreSQL and SQLite say differently; all other views are made with these.
CREATE VIEW log AS SELECT *, to_timestamp(NULLIF(time, 0)) AS at FROM lines;

CREATE VIEW begun AS
SELECT *, to_timestamp(NULLIF(started, 0)) AS at, split_part(text, ' ', 1) AS name
FROM summaries WHERE text IS NOT NULL;

CREATE VIEW broken_rules AS
SELECT companion, game, line, rule
FROM lines, json_array_elements_text(rules) AS rule
WHERE kind = 'refused';
