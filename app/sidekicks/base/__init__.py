"""What every package stands on: hub of numbered events, supervised tasks, time, words, logging."""
