"""`tacenda plausible`, on a small taxonomy of the user's own."""

import json

import pytest
from click.testing import CliRunner

from tacenda.cli import main
from tacenda.knowledge.taxonomy import DATA

# child, parent: four state capitals, two controlled substances, two pains (Figure 2 of paper 003).
SMALL = """child,parent
Sacramento,state capital
Austin,state capital
Boston,state capital
Albany,state capital
state capital,capital
capital,place
marijuana,controlled substance
ecstasy,controlled substance
controlled substance,drug
drug,thing
lumbar pain,pain
migraine,pain
pain,feeling
feeling,thing
place,thing
"""


@pytest.fixture
def run(tmp_path):
    file = tmp_path / "small.csv"
    file.write_text(SMALL, encoding="utf-8")

    def call(*args, **options):
        return CliRunner().invoke(main, ["plausible", *args, "--taxonomy", str(file)], **options)

    return call


TEXT = "A Sacramento resident purchased marijuana for the lumbar pain."
TERMS = ["-s", "Sacramento", "-s", "marijuana", "-s", "lumbar pain"]


def test_shows_result_size_entropies_and_originals(run):
    result = run(TEXT, *TERMS, "-t", "16")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("A state capital resident purchased controlled substance for the pain.\n")
    assert "|D| = 16 plausible originals (t = 16)" in result.output
    assert "H = 4.0000 bits" in result.output
    assert "Sacramento -> state capital: 4 originals, 2.0000 bits" in result.output
    assert "exact" in result.output
    assert result.output.count("resident purchased") == 6


def test_json_and_standard_input(run):
    result = run("-", *TERMS, "-t", "16", "--uniform", "--json", input=TEXT)
    found = json.loads(result.output)
    assert (found["originals"], found["exact"], found["gap"], found["uniform"]) == (16, True, 0.0, True)
    assert {term["replacement"] for term in found["terms"]} == {"state capital", "controlled substance", "pain"}
    assert len(found["examples"]) == 5
    assert run("-", *TERMS, "-t", "16", "--uniform", "--json", input=TEXT).output == result.output


def test_t_of_one_keeps_the_text(run):
    result = run(TEXT, *TERMS, "-t", "1")
    assert result.output.startswith(TEXT)
    assert "(kept)" in result.output


def test_plural_and_repeated_terms_are_found(run):
    result = run("Marijuana here, marijuana there; migraines too.", "-s", "marijuana", "-s", "migraine", "-t", "4")
    assert result.output.splitlines()[0] == "controlled substance here, controlled substance there; pain too."


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["no such word", "-s", "marijuana"], 2, "does not occur in the text"),
        (["a zorblax", "-s", "zorblax"], 5, "in no taxonomy"),
        (["marijuana", "-s", "marijuana", "-t", "0"], 2, "at least 1"),
        (["marijuana", "-s", "marijuana", "-t", "1000"], 7, "out of reach"),
        (["marijuana", "-s", "marijuana", "-t", "2", "--alpha", "7"], 2, "alpha"),
    ],
)
def test_refusals(run, args, code, message):
    result = run(*args)
    assert result.exit_code == code
    assert message in result.output
    assert "zorblax" not in result.output


@pytest.mark.skipif(not (DATA / "wordnet.tax").exists(), reason="the shipped taxonomies are not built")
@pytest.mark.parametrize("more", [[], ["--uniform"]])
def test_soft_drug_for_pain_on_wordnet(more):
    text = "uses marijuana for phantom limb pain"
    args = ["plausible", text, "-s", "marijuana", "-s", "phantom limb pain", "-t", "10", "--taxonomy", "wordnet"]
    found = json.loads(CliRunner().invoke(main, [*args, "--json", *more]).output)
    assert found["text"] == "uses soft drug for pain"
    assert [term["volume"] for term in found["terms"]] == [4, 3]
    assert found["originals"] == 12
    assert found["cost"] == pytest.approx(0.0388287904, abs=1e-10)
