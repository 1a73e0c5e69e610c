"""Truth tests on answers that may be absent are found, and those on collections are not."""

import ast

import pytest
from tools.check_truth import main, truth_tests


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def f(label: int | None):\n    return 1 if label else 0", ["label"]),
        ("def f(label: float | None = None):\n    if not label:\n        return 0", ["label"]),
        ("def f(name: Annotated[str | None, X] = None):\n    return name or 'x'", ["name"]),
        ("def f(record):\n    if record.get('label'):\n        return 1", ["record.get('label')"]),
        ("def f(record):\n    label = record.get('label')\n    return bool(label)", ["label"]),
        ("def f(record):\n    return [each for each in record if (label := each.get('y'))]", ["each.get('y')"]),
        ("class A:\n    y: int | None = None\n    def f(self):\n        return self.y and 1", ["self.y"]),
        ("def f(label: int | None):\n    return label is None or label == 1", []),
        ("def f(unit: Sequence[int] | None):\n    return unit or ()", []),
        ("def f(record):\n    return record.get('rows') or []", []),
        ("def f(record):\n    return record.get('rows', 0) or 1", []),
    ],
)
def test_what_may_be_zero_or_empty_is_found(code, found):
    assert [name for _, name in truth_tests(ast.parse(code))] == found


def test_the_library_has_none(capsys):
    assert main() == 0, capsys.readouterr().out
