"""One module for each way to run: embedded (`make play`), production, test; all start from base."""
