"""What was measured of the terminal UI becomes numbers."""

import pytest

from bench.watch import _phase


def test_phase_counts_what_was_drawn_in_its_time() -> None:
    """News and drawing together; what came before or after belongs to another phase."""
    measured = {
        "pictures": [[0.5, 1.0, 1.0], [1.0, 0.002, 0.003], [2.0, 0.0, 0.001], [3.5, 1.0, 1.0]],
        "late": [[0.1, 9.0], [1.5, 0.004], [2.5, 0.002]],
    }
    phase = _phase(("feed", 1.0, 3.0, 0.25, 44.0), measured)
    assert (phase.pictures.low, phase.pictures.top) == (0.001, 0.005)
    assert (phase.per_second, phase.late.top) == (1.0, 0.004)
    assert phase.cells() == ("feed", "1.00", "5.00", "1.00", "4.00", "25.0", "44.0")


def test_phase_without_a_picture_is_no_measurement() -> None:
    """Nothing drawn is not the same as drawn fast."""
    with pytest.raises(AssertionError, match="nothing was drawn"):
        _phase(("feed", 1.0, 3.0, 0.25, 44.0), {"pictures": [], "late": [[1.5, 0.0]]})
