"""The first tab: what needs you, who works, what is over."""
