"""Reads: what pages, bots and services ask of the database, as frozen values."""
