"""Drawing: text, styles and lines. Pure but for the look itself."""
