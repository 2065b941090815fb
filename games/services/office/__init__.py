"""What operators do: each action in one transaction, with a reason, an audit row, and word to whom it concerns."""
