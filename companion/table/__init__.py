"""The table: one game with its players, sensors and displays.

Messages come in from sensors, tablets and buttons; a snapshot and events go out. In between:

- `messages` are what may come in, `snapshot` is what everybody reads;
- `state` is all that a table knows, one immutable value;
- `step` says what a message makes of it: `sightings` what sensors see, `ledger` how the log grows;
- `tracker` turns sightings into boards that held;
- `weighing` and `acceptance` decide what a board means, and when that is accepted, by the waits of `policy`;
- `desk` carries the effects out and publishes the snapshot; `table` is a desk in a thread with one inbox;
- `present` turns a snapshot into the data that one viewer may see.
"""
