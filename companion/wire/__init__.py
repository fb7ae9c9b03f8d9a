"""The wire: what leaves a table, each member once, with its words and its limits.

Pages, walls, archives and other programs are told nothing else. TypeScript's declarations, OpenAPI's answers
and AsyncAPI's messages are made from these classes (`.ci/declarations`).
"""
