"""Peers' identifier patterns behind one function: text -> [(start, end, label)]. Missing peers are left out."""

from __future__ import annotations

from collections.abc import Callable

Spans = list[tuple[int, int, str]]
Finder = Callable[[str], Spans]


def tacenda(floor: float) -> Finder:
    """Tacenda's patterns at or above a confidence."""
    from tacenda.annotate.patterns import Patterns
    from tacenda.model import Document

    patterns = Patterns(floor=floor)
    return lambda text: [(m.start, m.end, m.label) for m in patterns.annotate(Document(text)).mentions]


def presidio() -> Finder:
    """Presidio's default English pattern recognizers and its telephone recognizer, without a language model."""
    from presidio_analyzer import RecognizerRegistry

    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    recognizers = [r for r in registry.recognizers if r.name != "SpacyRecognizer"]

    def find(text: str) -> Spans:
        found = []
        for recognizer in recognizers:
            for hit in recognizer.analyze(text, recognizer.supported_entities, None) or []:
                found.append((hit.start, hit.end, hit.entity_type))
        return found

    return find


def scrubadub() -> Finder:
    """scrubadub's default detectors."""
    import scrubadub as package

    scrubber = package.Scrubber()
    return lambda text: [(f.beg, f.end, f.type) for f in scrubber.iter_filth(text)]


def datafog() -> Finder:
    """DataFog's regular expressions."""
    from datafog.processing.text_processing.regex_annotator import RegexAnnotator

    annotator = RegexAnnotator()
    return lambda text: [(s.start, s.end, s.label) for s in annotator.annotate_with_spans(text)[1].spans]


def available() -> dict[str, Finder]:
    """Every finder that can be imported here."""
    finders: dict[str, Finder] = {"tacenda, full confidence": tacenda(1.0), "tacenda, from 0.5": tacenda(0.5)}
    for name, make in {"Presidio patterns": presidio, "scrubadub": scrubadub, "DataFog": datafog}.items():
        try:
            finders[name] = make()
        except ImportError:
            print(f"{name}: not installed, left out")
    return finders
