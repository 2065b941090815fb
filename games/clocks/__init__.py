"""How time runs at a table, as plain Python: moments and lengths in, moments and lengths out; nothing reads a clock."""
