"""An address as a QR code: rows of 0 and 1, for whoever draws it."""


def rows(text: str) -> list[str]:
    """With the quiet border a camera needs."""
    # Here and not above: most hubs never draw one.
    import segno

    code = segno.make(text, error="l", micro=False, boost_error=False)
    return ["".join(str(int(bit)) for bit in row) for row in code.matrix_iter(border=2)]
