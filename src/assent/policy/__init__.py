"""The judge: floor, rules and stance, in memory, starting no program."""
