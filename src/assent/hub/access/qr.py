"""An address as a QR code: rows of 0 and 1, for whoever draws it."""

import segno


def rows(text: str) -> list[str]:
    """With the quiet border a camera needs."""
    code = segno.make(text, error="l", micro=False, boost_error=False)
    return ["".join(str(int(bit)) for bit in row) for row in code.matrix_iter(border=2)]
