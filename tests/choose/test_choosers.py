"""greedy changes every member, hitting_set only what it must; both end with nothing risky."""

from __future__ import annotations

import pytest

from tacenda.choose.greedy import Greedy
from tacenda.choose.hitting_set import HittingSet
from tacenda.model import Candidate, Mention, Risk
from tacenda.testing import check_chooser

GONE = Candidate("[...]", "suppress")


def mentions_of(*texts):
    return [Mention(10 * i, 10 * i + len(t), t, "TERM") for i, t in enumerate(texts)]


def grouped(*groups):
    """Assess mentions by listed groups of words: risky while all of a group's words are there."""

    def assess(current):
        risks = []
        for group in groups:
            members = tuple(tuple(i for i, m in enumerate(current) if m.text == word) for word in group)
            if all(members):
                numbers = tuple(sorted(n for member in members for n in member))
                risks.append(
                    Risk("check", numbers, "secret", 2.0, 1.0, "bits", members=members if len(group) > 1 else ())
                )
        return risks

    return assess


@pytest.mark.parametrize("chooser", [Greedy(), HittingSet()])
def test_conformance(chooser):
    check_chooser(chooser)


def test_greedy_changes_all_members_and_hitting_set_one():
    mentions = mentions_of("mother", "transmission", "tree")
    assess = grouped(("mother", "transmission"))
    options = [(GONE,)] * 3
    assert [c is not None for c in Greedy().choose(mentions, options, assess(mentions), assess)] == [True, True, False]
    chosen = HittingSet().choose(mentions, options, assess(mentions), assess)
    assert sum(c is not None for c in chosen) == 1


def test_hitting_set_takes_the_most_informative_candidate_that_passes():
    mentions = mentions_of("condom")
    options = [(Candidate("contraceptive", "generalize", 6.0), Candidate("device", "generalize", 3.0), GONE)]
    assess = grouped(("condom",), ("contraceptive",))
    (chosen,) = HittingSet().choose(mentions, options, assess(mentions), assess)
    assert chosen.text == "device"


def test_replacements_that_disclose_together_are_moved_on():
    mentions = mentions_of("aspirin", "condom")
    options = [
        (Candidate("drug", "generalize", 5.0), GONE),
        (Candidate("sheath", "generalize", 4.0), GONE),
    ]
    assess = grouped(("aspirin",), ("condom",), ("drug", "sheath"))
    solved = HittingSet().solve(mentions, options, assess(mentions), assess)
    assert [c.text for c in solved.chosen] == ["drug", "[...]"]  # the sheath has less to lose
    assert solved.rounds == 2
    assert solved.bound_bits <= solved.loss_bits
    assert solved.note is not None
    assert solved.note.numbers["bits"] == solved.loss_bits


def test_mentions_of_one_term_or_entity_are_changed_alike():
    mentions = [
        Mention(0, 5, "Smith", "PERSON", "entity", entity=3),
        Mention(9, 19, "John Smith", "PERSON", "entity", entity=3),
        Mention(30, 36, "condom", "TERM"),
        Mention(40, 47, "condoms", "TERM"),
    ]
    risks = [Risk("check", (0,), "identity", 1.0, 0.0, "type"), Risk("check", (2,), "HIV", 2.0, 1.0, "bits")]
    chosen = HittingSet().choose(mentions, [(GONE,)] * 4, risks, lambda _: [])
    assert chosen == (GONE,) * 4


def test_what_has_no_candidate_is_left_to_the_caller():
    mentions = mentions_of("allowed")
    assess = grouped(("allowed",))
    assert list(Greedy().choose(mentions, [()], assess(mentions), assess)) == [None]
    assert list(HittingSet().choose(mentions, [()], assess(mentions), assess)) == [None]
