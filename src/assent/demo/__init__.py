"""A recorded session to try things with, and its replay."""
