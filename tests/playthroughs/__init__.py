"""Golden playthroughs: whole games with every seat's view, one for each option value and each number of seats.

`python -m tests.playthroughs` (or `make playthroughs`) writes them anew; what changed is then seen in the diff.
"""
