"""A program of checks fails if one of its claims does, and goes on with the others."""

from tools.checks import Checks, SkippedError, require
from tools.faults.outcomes import Outcome


def test_a_failed_claim_is_named_and_gives_a_status_and_the_others_are_checked(capsys):
    def holds():
        """One is one."""
        require(1 == 1, "found two")

    def fails():
        """One is two.

        More about it.
        """
        require(1 == 2, "found 1, expected 2\nas printed")

    def breaks():
        """Nothing is raised."""
        raise KeyError("a")

    def cannot():
        """There is a cluster."""
        raise SkippedError("no Slurm")

    checks = Checks()
    for check in (holds, fails, breaks, cannot, holds):
        checks.make(check)
    assert capsys.readouterr().out.splitlines() == [
        "ok       One is one",
        "as printed",
        "FAILED   One is two: found 1, expected 2",
        "FAILED   Nothing is raised: 'a'",
        "skipped  There is a cluster: no Slurm",
        "ok       One is one",
    ]
    assert (checks.held, checks.failed, checks.status) == (2, 2, 1)


def test_checks_that_hold_or_are_skipped_give_status_zero(capsys):
    checks = Checks()
    with checks.claim("a"):
        pass
    with checks.claim("b"):
        raise SkippedError("not here")
    assert checks.status == 0


def test_every_harm_of_a_fault_is_found(capsys):
    harms = [
        Outcome("a", partial=["x"]),
        Outcome("b", different=["x"]),
        Outcome("c", lost=["x"]),
        Outcome("d", read_as_whole=["x"]),
        Outcome("e", left=1),
        Outcome("f", left=1, may_leave=True),
        Outcome("g", times=3, interrupted=2, again=1),
    ]
    checks = Checks()
    for outcome in harms:
        with checks.claim(outcome.fault):
            outcome.check()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["FAILED"] * 5 + ["ok"] * 2
