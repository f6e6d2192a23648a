from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tacenda import term
from tacenda.errors import GuaranteeError, KnowledgeError, PolicyError, UsageError
from tacenda.model import Context, Document, Mention
from tacenda.risk.background import Background
from tacenda.risk.reidentify import Reidentify, defend, protect

PEOPLE = {
    "ann": "Ann sailed round Cape Horn in a ship called Petrel. She wrote of whales and of storms at sea.",
    "bob": "Bob sailed too, on lakes. He wrote of storms and of rain, and grew tomatoes in Kent.",
    "eve": "Eve painted bridges in Prague. She wrote letters of storms and of towers by the sea.",
    "ivo": "Ivo built a ship in a bottle. He wrote of bottles, of the sea and of small things.",
}
TEXT = "Sailed Petrel round Cape Horn, wrote whales, storms, sea."
KNOWN = Background(PEOPLE)


def words(text: str) -> list[tuple[int, int]]:
    return [(t.start, t.end) for t in term.tokens(text)]


def bits(phrase: str) -> float:
    return 2.0 * len(term.words(phrase))


def test_masks_until_the_right_one_is_not_first() -> None:
    spans = words(TEXT)
    found = protect(TEXT, spans, KNOWN, "ann", bits)
    assert found.rank_before == 1
    assert found.complete
    assert found.rank_after > 1
    assert 0 < len(found.masked) < len(spans)
    holes = TEXT
    for number in sorted(found.masked, reverse=True):
        start, end = spans[number]
        holes = holes[:start] + " zqhole " + holes[end:]
    assert KNOWN.rank(holes, "ann") == found.rank_after  # what was predicted is what an attacker finds


def test_no_mask_is_needless() -> None:
    spans = words(TEXT)
    found = protect(TEXT, spans, KNOWN, "ann", bits)
    for kept in found.masked:
        shown = TEXT
        for number in sorted(set(found.masked) - {kept}, reverse=True):
            shown = shown[: spans[number][0]] + " zqhole " + shown[spans[number][1] :]
        assert KNOWN.rank(shown, "ann") == 1


def test_stricter_limits_lose_more() -> None:
    losses = [protect(TEXT, words(TEXT), KNOWN, "ann", bits, k=k).loss_bits for k in (1, 2)]
    assert losses[0] <= losses[1]
    assert protect(TEXT, words(TEXT), KNOWN, "bob", bits).masked == ()


def test_costly_words_are_spared_when_others_do() -> None:
    spans = words("Petrel whales")
    cheap = protect("Petrel whales", spans, KNOWN, "ann", lambda w: 1.0 if "Petrel" in w else 9.0)
    assert cheap.loss_bits <= 10
    forced = protect(TEXT, words(TEXT), KNOWN, "ann", bits, always=[0])
    assert 0 in forced.masked


def test_words_that_may_not_be_masked_leave_it_incomplete() -> None:
    found = protect(TEXT, [], KNOWN, "ann", bits)
    assert not found.complete
    assert found.rank_after == 1


def test_generalizations_are_checked_again() -> None:
    leaking = defend(TEXT, words(TEXT), KNOWN, "ann", bits, generalize=lambda w: "whales")
    assert leaking.complete
    assert leaking.rank_after > 1
    plain = defend(TEXT, words(TEXT), KNOWN, "ann", bits)
    general = defend(TEXT, words(TEXT), KNOWN, "ann", bits, generalize=lambda w: "thing")
    assert general.kept > plain.kept
    with pytest.raises(UsageError, match="overlap"):
        defend(TEXT, [(0, 5), (3, 8)], KNOWN, "ann", bits)


def test_risk_model() -> None:
    model = Reidentify(background=KNOWN, subject="ann", information=bits)
    mentions = [Mention(s, e, TEXT[s:e], "TERM") for s, e in words(TEXT)]
    risks = list(model.assess(mentions, Context(Document(TEXT))))
    assert risks
    assert all(r.unit == "rank" and r.score <= r.limit and r.counts["rank"] == 1 for r in risks)
    masked = {r.mentions[0] for r in risks}
    after = [Mention(m.start, m.end, "" if i in masked else m.text, "TERM") for i, m in enumerate(mentions)]
    assert not list(model.assess(after, Context(Document(TEXT))))
    assert not list(model.assess([], Context(Document("nothing that anybody knows"))))


def test_large_k() -> None:
    many = Background({f"p{i}": f"word{i} sea storms ship{i % 7}" for i in range(150)})
    found = protect("word3 ship3 sea", words("word3 ship3 sea"), many, "p3", bits, k=100)
    assert found.rank_after > 100 or not found.complete


def test_misuse() -> None:
    with pytest.raises(KnowledgeError, match="at least two"):
        Background({"a": "x"})
    with pytest.raises(UsageError, match="contains nothing about 'zoe'"):
        protect(TEXT, [], KNOWN, "zoe", bits)
    with pytest.raises(UsageError, match="must be 1 to 3"):
        protect(TEXT, [], KNOWN, "ann", bits, k=4)


def test_background_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl.gz"
    rows = [{"name": name, "public_knowledge": text} for name, text in PEOPLE.items()]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in [*rows, {"name": "ann", "text": "More of Ann."}]))
    held = Background.read(path)
    assert held.names == tuple(PEOPLE)
    assert held.place("ANN") == 0
    assert held.rank("more of whales", "Ann") == 1
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"name": "a", "text": "x"}\n{"who": "b"}\n', encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"line 2: a background needs a name .* has who"):
        Background.read(broken)
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(KnowledgeError, match="JSON Lines"):
        Background.read(broken)


def test_risk_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="no such file"):
        Reidentify(background=tmp_path / "none.jsonl", information=bits)
    with pytest.raises(PolicyError, match="k must be 1 or more"):
        Reidentify(background=KNOWN, information=bits, k=0)
    model = Reidentify(background=KNOWN, information=bits)
    mentions = [Mention(s, e, TEXT[s:e], "TERM") for s, e in words(TEXT)]
    with pytest.raises(UsageError, match="whom the document is about"):
        list(model.assess(mentions, Context(Document(TEXT))))
    with pytest.raises(UsageError, match="nothing about 'zoe'"):
        list(model.assess(mentions, Context(Document(TEXT, subject="zoe"))))
    gone = [Mention(0, 6, "", "TERM")]  # everything else stays, and tells
    with pytest.raises(GuaranteeError, match="remains among the first 1"):
        list(model.assess(gone, Context(Document(TEXT, subject="ann"))))
