"""The fifth tab: the rules that hold, and what they would say."""
