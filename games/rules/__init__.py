"""The rules core: plain Python, standard library only (architecture: decision 2)."""
