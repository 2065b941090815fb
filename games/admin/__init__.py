"""The desk's lists and pages: what they show, to whom, and what can be done there."""

from games.admin import letters, office, people, plays, reports, results, tables

__all__ = ["letters", "office", "people", "plays", "reports", "results", "tables"]
