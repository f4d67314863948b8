"""Student's t and chi-square equal scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from harness.analysis.quantiles import chi2_tail, t_quantile, t_quantiles, t_tail


@pytest.mark.parametrize("df", [1, 2, 3.5, 30, 400, 99_999, 2_000_000])
@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 3.0, 12.0])
def test_the_tail_of_t(t: float, df: float) -> None:
    assert t_tail(-t, df) == t_tail(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-6)


@pytest.mark.parametrize("df", [1, 2, 7, 100, 5_000_000])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_the_quantile_of_t(level: float, df: int) -> None:
    assert t_quantile(level, df) == pytest.approx(stats.t.ppf(0.5 + level / 2, df), rel=1e-6)


def test_quantiles_of_an_array_round_freedom_down() -> None:
    found = t_quantiles(0.95, np.array([[0.3, 1.9], [7.2, 7.0]]))

    assert found == pytest.approx(stats.t.ppf(0.975, [[1, 1], [7, 7]]))


@pytest.mark.parametrize("df", [1, 2, 7, 50, 500])
@pytest.mark.parametrize("ratio", [0.1, 1.0, 1.5, 3.0])
def test_the_tail_of_chi_square(df: float, ratio: float) -> None:
    assert chi2_tail(ratio * df, df) == pytest.approx(stats.chi2.sf(ratio * df, df), rel=1e-9, abs=1e-15)
    assert chi2_tail(0.0, df) == 1.0
