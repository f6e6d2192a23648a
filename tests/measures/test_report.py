from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from tacenda.measures import plots, sections
from tacenda.measures.attack import Candidates, run_attacks
from tacenda.measures.collection import compare, logs_of
from tacenda.measures.detection import detection
from tacenda.measures.gold import GoldDocument, GoldMention, Mask
from tacenda.measures.report import Section, Table, command_line, envelope, markdown_page, page, shown
from tacenda.measures.utility import text_utility

CANARY = "Zanzibarova"


def test_plots_are_well_formed_and_complete() -> None:
    drawn = plots.line_plot(
        {"a & b": [(1, 0.5), (1000, 1.0)], "c": [(10, math.nan)]}, title="t<", x_label="k", y_label="y", log_x=True
    )
    root = ET.fromstring(drawn)
    assert sum(1 for node in root.iter() if node.tag.endswith("circle")) == 2  # what is not a number is not drawn
    assert "a &amp; b" in drawn
    bars = ET.fromstring(plots.bar_plot({"x": {"g": 0.5, "h": math.nan}}, title="t", x_label="x"))
    assert len([n for n in bars.iter() if n.tag.endswith("text") and n.text == "none"]) == 1
    assert "no data" in plots.line_plot({}, title="t", x_label="x", y_label="y")
    ET.fromstring(plots.line_plot({"a": [(1, 1)]}, title="t", x_label="x", y_label="y", lines=False))


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (3.0, 3.0), (-2.0, 7.5), (0.001, 0.0042), (0, 5e6)])
def test_axes_hold_their_values(low: float, high: float) -> None:
    place, ticks = plots._axis([low, high], 0, 100)
    assert 0 <= place(low) <= place(high) <= 100
    assert 2 <= len(ticks) <= 9


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.outside += [value or "" for name, value in attrs if name in ("src", "href")]


def test_page_is_self_contained_and_holds_no_source_text() -> None:
    text = f"{CANARY} met Bob"
    gold = GoldDocument(
        "d", text, {"a": (GoldMention(0, 11, "PERSON", "direct"), GoldMention(16, 19, "PERSON", "quasi"))}
    )
    masks = [Mask(0, 11, "PERSON", CANARY.upper())]
    x, (y,) = logs_of({"u": [text, "b"]}, {"u": ["b"]})
    import numpy as np

    found = [
        sections.detection_section({"tool": detection([gold], {"d": masks}, bits=len)}),
        sections.utility_section({"tool": [text_utility(text, masks, len)]}, {"tool": {"cosine": 0.5}}),
        sections.privacy_section({"document": compare(x, y, np.zeros(2))}),
        sections.attack_section(run_attacks([("a", text)], Candidates.of({"a": CANARY, "b": "Bob"}))),
        sections.tradeoff_section({"t=.25": (0.7, 0.2)}, privacy="re-identified"),
    ]
    html = page("Report", found, command="tacenda measure")
    reader = _Reader()
    reader.feed(html)
    assert reader.outside == []
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    assert CANARY.lower() not in html.lower()
    assert "tacenda measure" in html


def test_values_commands_and_markdown() -> None:
    assert [shown(v) for v in (0.5, 12.0, 7, None, math.inf, "x")] == ["0.500", "12", "7", "–", "–", "x"]
    assert command_line(["measure", "a b"]) == "tacenda measure 'a b'"
    assert command_line(["measure", "/home/ann/x.jsonl", "-o", "out/x"]) == "tacenda measure x.jsonl -o out/x"
    assert envelope("privacy", {"a": 1}, command="c")["format"] == "tacenda-measure-privacy/1"
    body = markdown_page(
        "T",
        [Section("S", ("one",), (("n", 1),), (Table(("a",), ((0.25,),)),), ("<svg/>",))],
        figures=lambda n: f"f{n}.svg",
    )
    assert "| 0.250 |" in body
    assert "![S](f0.svg)" in body
