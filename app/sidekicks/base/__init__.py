"""What every package stands on: the hub of numbered events, supervised tasks, time, words, logging."""
