"""Tables and answers go to other processes and back."""

import pickle

import numpy as np
import pytest

import nlpcalib as nc

RANDOM = np.random.default_rng(1)
Q = RANDOM.random(90)
Y = RANDOM.random(90) < Q


@pytest.mark.parametrize("of_file", [True, False])
def test_predictions_and_reports_are_pickled(of_file, tmp_path):
    path, groups = tmp_path / "t.csv", ["ab"[row % 2] for row in range(90)]
    rows = [f"r{row},{q:.3f},{int(y)},{by}" for row, (q, y, by) in enumerate(zip(Q, Y, groups, strict=True))]
    path.write_text("\n".join(["id,q,y,by", *rows]), encoding="utf-8")
    data = nc.read(path) if of_file else nc.read(Q, y=Y, by={"by": groups})
    again = pickle.loads(pickle.dumps(data.take(np.arange(89))))
    assert again.column("by") == groups[:-1]
    for question in nc.calibrate, nc.estimate, nc.recalibrate:
        report = question(data, by="by")
        assert str(pickle.loads(pickle.dumps(report))) == str(report)
