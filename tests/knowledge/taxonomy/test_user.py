"""A user's own taxonomies: what they give, and what is said when they are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.errors import KnowledgeError
from tacenda.knowledge.taxonomy import open_taxonomy

OBO = """format-version: 1.2

[Term]
id: X:1
name: food

[Term]
id: X:2
name: cake
synonym: "gateau" EXACT []
synonym: "pastry" RELATED []
is_a: X:1 ! food

[Term]
id: X:3
name: old thing
is_obsolete: true

[Term]
id: X:4
name: cheesecake
is_a: X:2 {source="a"} ! cake
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def names(path: Path, term: str) -> list[tuple[str, int]]:
    return [(rung.name, rung.volume) for rung in open_taxonomy(path).generalizations(term)]


def test_csv(tmp_path: Path) -> None:
    path = write(tmp_path / "own.csv", "child,parent\nbrownie,cake\nsponge,cake\nbrownie,chocolate thing\ncake,food\n")
    assert names(path, "the Brownie") == [("chocolate thing", 1), ("cake", 2), ("food", 2)]


def test_counts_make_the_bits(tmp_path: Path) -> None:
    path = write(tmp_path / "own.csv", "child,parent,count\nbrownie,cake,6\nsponge,cake,1\n")
    taxonomy = open_taxonomy(path)
    assert taxonomy.bits("brownie") == pytest.approx(0.415037, abs=1e-5)  # 6 of 8
    assert taxonomy.bits("cake") == 0


def test_obo(tmp_path: Path) -> None:
    path = write(tmp_path / "own.obo", OBO)
    assert names(path, "cheesecake") == [("cake", 1), ("food", 1)]
    assert names(path, "gateau") == [("food", 1)]
    assert names(path, "old thing") == []


def snomed(folder: Path, *, relations: str, concepts: str = "", descriptions: str = "") -> Path:
    head = folder / "Snapshot" / "Terminology"
    head.mkdir(parents=True)
    concepts = concepts or "".join(f"{i}\t20200101\t1\t9\t9\n" for i in (1, 2, 3))
    names_ = {1: "Clinical finding (finding)", 2: "Disease (disorder)", 3: "Asthma (disorder)"}
    descriptions = (
        descriptions
        or "".join(f"{i}0\t20200101\t1\t9\t{i}\ten\t900000000000003001\t{name}\t9\n" for i, name in names_.items())
        + "31\t20200101\t1\t9\t3\ten\t900000000000013009\tBronchial asthma\t9\n"
    )
    write(
        head / "sct2_Concept_Snapshot_INT_20200101.txt",
        "id\teffectiveTime\tactive\tmoduleId\tdefinitionStatusId\n" + concepts,
    )
    write(head / "sct2_Description_Snapshot-en_INT_20200101.txt", "\t".join("abcdefghi") + "\n" + descriptions)
    write(head / "sct2_Relationship_Snapshot_INT_20200101.txt", "\t".join("abcdefghij") + "\n" + relations)
    return folder


def relation(child: int, parent: int, kind: str = "116680003") -> str:
    return f"{child}{parent}\t20200101\t1\t9\t{child}\t{parent}\t0\t{kind}\t9\t9\n"


def test_snomed(tmp_path: Path) -> None:
    folder = snomed(tmp_path, relations=relation(3, 2) + relation(2, 1) + relation(1, 3, kind="363698007"))
    taxonomy = open_taxonomy(folder)
    assert [rung.name for rung in taxonomy.generalizations("bronchial asthma")] == ["Disease", "Clinical finding"]
    assert taxonomy.generalizations("asthma")[0].id == "2"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a,b\nb,c\nc,a\n", None, "above itself"),
        ("a,a\n", 1, "its own parent"),
        ("a,b\nc,\n", 2, "no parent"),
        ("a,b\n,b\n", 2, "empty term"),
        ("a,b\nx,y\na,b\n", 3, "same child and parent as in line 1"),
        ("a,b\na\n", 2, "1 columns"),
        ('a,b\n"x,y\n', 2, "breaks off"),
        ("a,b,-1\n", 1, "greater than zero"),
        ("a,b,many\n", 1, "not a count"),
        ("", None, "contains no concept"),
    ],
)
def test_broken_csv_is_named_with_file_and_line(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    path = write(tmp_path / "own.csv", text)
    with pytest.raises(KnowledgeError, match=said) as raised:
        open_taxonomy(path)
    assert "own.csv" in str(raised.value)
    assert line is None or f"line {line}:" in str(raised.value)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[Term]\nid: X:1\n", 1, "without id or name"),
        ("[Term]\nid: X:1\nname: a\nis_a: X:9\n", 4, "'X:9' is not defined"),
        ("[Term]\nid: X:1\nname: a\n[Term]\nid: X:1\nname: b\n", 5, "defined twice"),
        ("[Term]\nid: X:1\nname:\n", 3, "empty term"),
        ("[Term]\nid: X:1\nname: a\nis_a: X:2\n[Term]\nid: X:2\nname: b\nis_a: X:1\n", None, "above itself"),
        ("[Term]\nid: X:1\nname: a\nsynonym: broken\n", 4, "without quotes"),
    ],
)
def test_broken_obo_is_named_with_file_and_line(tmp_path: Path, text: str, line: int | None, said: str) -> None:
    with pytest.raises(KnowledgeError, match=said) as raised:
        open_taxonomy(write(tmp_path / "own.obo", text))
    assert line is None or f"own.obo, line {line}:" in str(raised.value)


def test_broken_snomed_is_named_with_file_and_line(tmp_path: Path) -> None:
    folder = snomed(tmp_path, relations=relation(3, 2) + relation(2, 7))
    with pytest.raises(KnowledgeError, match=r"sct2_Relationship.*line 3: '7' is not defined"):
        open_taxonomy(folder)
    cut = snomed(tmp_path / "cut", relations=relation(3, 2) + "32\t2020")
    with pytest.raises(KnowledgeError, match="line 3: 2 columns instead of 10"):
        open_taxonomy(cut)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes(b"a,b\n\xff\xfe,c\n")
    with pytest.raises(KnowledgeError, match="not UTF-8"):
        open_taxonomy(path)


def test_a_name_that_does_not_exist_says_which_do(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match=r"no taxonomy named 'wordnot'.*wordnet"):
        open_taxonomy("wordnot")
    with pytest.raises(KnowledgeError, match="Rename the file"):
        open_taxonomy(write(tmp_path / "wordnet.csv", "a,b\n"))
    with pytest.raises(KnowledgeError, match="no such file"):
        open_taxonomy("missing.csv")
