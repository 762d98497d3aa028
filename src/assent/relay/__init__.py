"""The relay: carries asks and answers between the hubs of a team. It may delay and read; it cannot say yes."""
