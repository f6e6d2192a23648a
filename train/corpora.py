# ruff: noqa: E501
"""Read every gold and silver set into examples, in one label scheme.

Sets disagree on what counts: what a set never marks is left open (`Example.open`), so that it teaches neither yes nor no.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from train import treebank
from train.example import Example

IDENTIFIERS = {"CREDIT_CARD", "PHONE_NUMBER", "EMAIL_ADDRESS", "DOMAIN_NAME", "IBAN_CODE", "US_SSN", "IP_ADDRESS"}
PRESIDIO = {
    "PERSON": ("PERSON", "direct"), "TITLE": ("PERSON", "direct"), "STREET_ADDRESS": ("LOC", "quasi"),
    "GPE": ("LOC", "quasi"), "ZIP_CODE": ("LOC", "quasi"), "ORGANIZATION": ("ORG", "quasi"),
    "DATE_TIME": ("DATETIME", "quasi"), "NRP": ("DEM", "quasi"), "AGE": ("DEM", "quasi"),
}  # fmt: skip
SPACY = {
    "PERSON": ("PERSON",), "GPE": ("LOC", "ORG"), "LOC": ("LOC",), "FAC": ("LOC", "ORG"), "ORG": ("ORG", "MISC"),
    "NORP": ("DEM", "ORG"), "DATE": ("DATETIME",), "TIME": ("DATETIME",), "MONEY": ("QUANTITY",), "PERCENT": ("QUANTITY",),
    "QUANTITY": ("QUANTITY",), "CARDINAL": ("QUANTITY", "O", "CODE"), "ORDINAL": ("QUANTITY", "O"), "EVENT": ("MISC", "ORG"),
    "WORK_OF_ART": ("MISC",), "PRODUCT": ("MISC", "O"), "LAW": ("MISC", "O"), "LANGUAGE": ("DEM", "MISC", "O"),
}  # fmt: skip
CONLL = {"PER": ("PERSON",), "LOC": ("LOC",), "ORG": ("ORG",), "MISC": ("MISC", "DEM")}
WNUT = {
    "person": ("PERSON",), "location": ("LOC",), "corporation": ("ORG",), "group": ("ORG", "MISC"),
    "product": ("MISC",), "creative-work": ("MISC",),
}  # fmt: skip
UNTYPED = ("DATETIME", "QUANTITY", "DEM", "CODE")
TITLES = {"mr", "mrs", "ms", "miss", "dr", "sir", "lady", "lord", "the", "and", "von", "van", "de"}


def lines(path: Path) -> Iterator[dict]:
    """Yield the records of a JSON-lines file, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def name_words(text: str) -> set[str]:
    """Words of a name that tell it from others."""
    return {w for w in re.findall(r"\w+", text.lower()) if len(w) > 2 and w not in TITLES}


def outermost(spans: list[tuple]) -> list[tuple]:
    """Drop spans that lie inside, or overlap, an earlier longer one."""
    kept: list[tuple] = []
    for span in sorted(spans, key=lambda s: (s[0], -s[1])):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def court(data: Path) -> list[Example]:
    """Court cases: every mention typed; the applicant's names and the numbers of the case are direct identifiers."""
    result = []
    for record in lines(data / "tab_test127/tab_dev40.jsonl"):
        spans = [(m["start"], m["end"], m["entity_type"], m["text"]) for m in record["gold_mentions"]]
        people = [s for s in sorted(spans) if s[2] == "PERSON"]
        subject = name_words(people[0][3]) if people else set()
        roles = [
            (a, b, "direct" if kind == "CODE" or (kind == "PERSON" and name_words(text) & subject) else "quasi")
            for a, b, kind, text in spans
        ]
        entities = [(a, b, (kind,)) for a, b, kind, _ in outermost(spans)]
        result.append(Example(record["text"], "tab", record["doc_id"], entities=entities, masks=roles))
    return result


def actors(data: Path, silver: dict[str, dict]) -> list[Example]:
    """Actor summaries: sensitive spans for the role; entity types come from the teacher."""
    result = []
    for record in lines(data / "actors50/actors_dev20.jsonl"):
        subject = name_words(record["title"])
        masks = [
            (m["start"], m["end"], "direct" if name_words(m["text"]) & subject else "quasi")
            for m in record["gold_sensitive"]
        ]
        teacher = from_teacher(silver[record["doc_id"]], "actors", record["doc_id"])
        result.append(
            Example(
                record["text"], "actors", record["doc_id"], entities=teacher.entities, open=teacher.open, masks=masks
            )
        )
    return result


def queries(data: Path) -> list[Example]:
    """Clinical queries with PHI; ages, ethnicity, bare years and the like are no PHI."""
    result = []
    for record in lines(data / "asq_phi/asq_dev300.jsonl"):
        entities, masks = [], []
        for p in record["phi"]:
            kind = {"NAME": ("PERSON",), "GEOGRAPHIC_LOCATION": ("LOC", "ORG"), "DATE": ("DATETIME",)}.get(
                p["type"], ("CODE",)
            )
            entities.append((p["start"], p["end"], kind))
            masks.append((p["start"], p["end"], "quasi" if p["type"] in {"GEOGRAPHIC_LOCATION", "DATE"} else "direct"))
        result.append(
            Example(
                record["query"],
                "asq",
                record["id"],
                entities=outermost(entities),
                open=("DEM", "QUANTITY", "DATETIME", "MISC", "ORG"),
                masks=masks,
            )
        )
    return result


def sentences_with_pii(data: Path) -> list[Example]:
    """Template sentences with personal data; a title joins the name after it. Folds go by template."""
    result = []
    for record in lines(data / "presidio_synth/presidio_dev.jsonl"):
        entities, masks = [], []
        for s in record["spans"]:
            kind, role = PRESIDIO.get(s["type"], ("CODE", "direct"))
            if (
                entities
                and kind == "PERSON" == entities[-1][2][0]
                and not record["text"][entities[-1][1] : s["start"]].strip(" .")
            ):
                a = entities.pop()[0]
                masks.pop()
            else:
                a = s["start"]
            entities.append((a, s["end"], (kind,)))
            masks.append((a, s["end"], role))
        opened = ("DATETIME", "QUANTITY", "DEM", "MISC", "ORG", "LOC")
        result.append(
            Example(
                record["text"], "presidio", f"t{record['template_id']}", entities=entities, open=opened, masks=masks
            )
        )
    return result


def detokenize(words: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """Join words as they would be written, and say where each one went."""
    text, spans = "", []
    glue = True
    quote = False
    for word in words:
        tight = (
            glue
            or word in {",", ".", ";", ":", "?", "!", ")", "]", "%", "'s", "n't", "'", "’s", "''", "..."}
            or (word == '"' and quote)
        )
        if not tight:
            text += " "
        spans.append((len(text), len(text) + len(word)))
        text += word
        quote = not quote if word == '"' else quote
        glue = word in {"(", "[", "$", "``", "£"} or (word == '"' and quote)
    return text, spans


def conll(path: Path, source: str, types: dict[str, tuple[str, ...]]) -> list[Example]:
    """Read word-per-line entity files; documents are `-DOCSTART-` parts, or runs of twenty sentences."""
    documents: list[list[list[list[str]]]] = [[]]
    sentence: list[list[str]] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        parts = line.split("\t") if "\t" in line else line.split(" ")
        if line.startswith("-DOCSTART-"):
            documents.append([])
        elif line.strip() and parts[0].strip():
            sentence.append([parts[0].strip(), parts[-1].strip()])
        elif sentence:
            if source == "wnut" and len(documents[-1]) >= 20:
                documents.append([])
            documents[-1].append(sentence)
            sentence = []
    return [_conll_document(d, source, f"{source}{n}", types) for n, d in enumerate(documents) if d]


def _conll_document(document: list, source: str, name: str, types: dict[str, tuple[str, ...]]) -> Example:
    text, entities = "", []
    for sentence in document:
        text += ("\n" if source == "wnut" else " ") if text else ""
        part, spans = detokenize([w for w, _ in sentence])
        open_type = ""
        for (start, end), (_, tag) in zip(spans, sentence, strict=True):
            kind = tag.partition("-")[2]
            if kind and kind == open_type and not tag.startswith("B"):
                entities[-1] = (entities[-1][0], len(text) + end, types[kind])
            elif kind:
                entities.append((len(text) + start, len(text) + end, types[kind]))
            open_type = kind
        text += part
    return Example(text, source, name, entities=entities, open=UNTYPED)


def trees(data: Path, silver: dict[str, dict]) -> list[Example]:
    """Treebanks: tags, sentences, base noun phrases from gold; entities from the teacher on the training parts."""
    result = []
    for name, source in (("ud_ewt/ewt", "ewt"), ("ud_gum_ccby/gum", "gum")):
        for part in ("train", "dev"):
            for tree in treebank.read(data / f"{name}_{part}.conllu.gz"):
                record = silver.get(tree.id)
                teacher = from_teacher(record, source, tree.id) if record else None
                result.append(
                    Example(
                        tree.text, source if part == "train" else f"{source}_dev", tree.id,
                        tags=[(w.start, w.end, w.upos) for s in tree.sentences for w in s],
                        phrases=tree.phrases(),
                        sentences=[(s[0].start, s[-1].end) for s in tree.sentences],
                        entities=teacher.entities if teacher else None, open=teacher.open if teacher else (),
                    )
                )  # fmt: skip
    return result


def from_teacher(record: dict, source: str, doc: str) -> Example:
    """Turn the teacher's labels into ours; where its types do not settle ours, several are allowed."""
    text, entities = record["text"], []
    for start, end, kind in record["entities"]:
        if kind in {"DATE", "TIME"}:
            sure = re.search(r"\d{4}|\d[/.-]\d|[A-Z][a-z]{2,8}\.? \d|\d [A-Z][a-z]{2}", text[start:end])
            types = (
                ("DEM", "O")
                if re.search(r"years?.old|y/o|age", text[start:end])
                else ("DATETIME",)
                if sure
                else ("DATETIME", "O")
            )
        else:
            types = SPACY[kind]
        if text[start:end].lower().startswith("the "):
            start += 4
        for tail in ("'s", "’s"):
            if text[start:end].endswith(tail):
                end -= 2
        if end > start:
            entities.append((start, end, types))
    return Example(
        text, source, doc,
        sentences=[(a, b) for a, b in record["sentences"]],
        phrases=[(a, b) for a, b in record["chunks"] if re.search(r"\w{3}", text[a:b])] if source != "actors" else None,
        entities=entities, open=("DEM", "MISC", "CODE"),
    )  # fmt: skip


COUNTRIES = """France Germany Poland Turkey Italy Spain Russia Ukraine Romania Bulgaria Greece Norway Sweden Finland Denmark
Austria Hungary Slovakia Slovenia Croatia Serbia Moldova Georgia Armenia Azerbaijan Ireland Portugal Belgium Switzerland
Iceland Malta Cyprus Albania Latvia Lithuania Estonia India China Japan Canada Mexico Brazil Argentina Chile Peru Egypt
Nigeria Kenya Ghana Morocco Australia Israel Iran Iraq Pakistan Thailand Vietnam Korea Cuba Jamaica""".split()


def pools(silver: list[dict]) -> dict[str, list[str]]:
    """Names and places the teacher found often enough in plain text, for swapping and for templates."""
    first, last, place = Counter(), Counter(), Counter()
    for record in silver:
        if record["kind"].startswith("gold:"):
            continue
        for start, end, kind in record["entities"]:
            words = record["text"][start:end].split()
            if (
                kind == "PERSON"
                and len(words) == 2
                and all(re.fullmatch(r"[^\W\d_]{3,}", w) and w[0].isupper() for w in words)
            ):
                first[words[0]] += 1
                last[words[1]] += 1
            elif kind == "GPE" and all(re.fullmatch(r"[^\W\d_]{3,}", w) and w[0].isupper() for w in words):
                place[" ".join(words)] += 1
    for name in COUNTRIES:
        place.pop(name, None)
    return {"first": sorted(first), "last": sorted(last), "place": sorted(place), "country": COUNTRIES}
