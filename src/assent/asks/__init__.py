"""What waits for a person: its life, who may answer it how, and what they are shown."""
