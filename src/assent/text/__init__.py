"""Text that people read: words for choices and states, signs, times, names, and hostile text made inert."""
