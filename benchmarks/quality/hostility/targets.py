"""What is attacked: every kind of file that Tacenda reads, each with a way to draw a hostile one and to use it.

A target takes a source of chance and an empty folder, and comes to an end or raises a TacendaError. All else is a
fault: another exception, an "internal error", the canary in a message or in what was written, more than the time.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from benchmarks.quality.hostility import making
from benchmarks.quality.hostility.making import CANARY, KNOWN, damaged, damaged_json, damaged_toml
from tacenda import Document, Policy, Sanitizer, claims, codes, formats, plan_from_json, plan_to_json, shipped_policies
from tacenda.audit import Trail, check, export, read
from tacenda.batch import Recipe, Run, Worker
from tacenda.certify.index_file import DamagedIndex
from tacenda.errors import KnowledgeError, TacendaError
from tacenda.formats import File
from tacenda.knowledge import open_index, open_taxonomy
from tacenda.knowledge.index import BuildOptions, build_index
from tacenda.model import Limits, Part, Reading
from tacenda.plan.applying import check_written
from tacenda.policy import combine, from_dict, shipped_text, to_dict
from tacenda.replace.keys import Key, load_key
from tacenda.testing import FakeIndex, FakeTaxonomy

Target = Callable[[random.Random, Path], None]
POLICY = 'name = "hostile"\nannotate = ["patterns"]\nreplace = ["label", "suppress"]\n[risk.entity]\n'
_WORDS = "patient doctor city river bicycle mountain blood heart child mother letter morning nurse village".split()
_WINDOWS = tuple(
    " ".join(
        [*random.Random(number).sample(_WORDS, 6), *(("HIV", "AIDS", "antiretroviral") if number % 9 == 0 else ())]
    )
    for number in range(300)
)
_DECLARED = (*("",) * 20, "utf-8", "latin-1", "utf-16", "utf-7", "hex", "idna", "unicode_escape", "no-such")
_LIMITS = Limits(size=8 << 20, expanded=64 << 20, seconds=20)
_KEY = Key(bytes(range(32)))


class Fault(Exception):
    """What must not be: told without the text it is about."""


@cache
def _folder() -> Path:
    """A place for what is made once; removed by `clean`."""
    return Path(mkdtemp(prefix="hostile-"))


def clean() -> None:
    """Remove what was made once."""
    shutil.rmtree(_folder(), ignore_errors=True)
    for made in (
        _folder,
        _sanitizer,
        _recipe,
        _worker,
        _index,
        _vectors,
        _taxonomy,
        _certified,
        _planned,
        _trail,
        _samples,
    ):
        made.cache_clear()
    making.bytes_of.cache_clear()


# ---- documents -----------------------------------------------------------------------------------------


@cache
def _recipe() -> Recipe:
    return Recipe(Policy.from_text(POLICY), known=KNOWN, force_language=True)


@cache
def _worker() -> Worker:
    """One worker for all: making the sanitizer anew would take longer than the attack."""
    return Worker(_recipe())


@cache
def _samples() -> dict[str, bytes]:
    """One sound file of each format, with the name of a person in every place it has."""
    from tests.formats.samples import ZEBULON

    from benchmarks.quality.documents.run import SAMPLES

    return {name: make(ZEBULON) for name, make in SAMPLES.items()} | {"pdf": _pdf()}


def _pdf() -> bytes:
    from io import BytesIO

    from reportlab.pdfgen.canvas import Canvas

    out = BytesIO()
    page = Canvas(out, invariant=1)
    page.drawString(72, 720, f"{KNOWN[0]} was seen on 3 July 1979.")
    page.drawString(72, 700, "Nothing else was found in the letter.")
    page.save()
    return out.getvalue()


def _run(data: bytes, format: str, chance: random.Random) -> None:
    reading = Reading(encoding=chance.choice(_DECLARED), limits=_LIMITS)
    run = Run(_recipe(), reading, format)
    run.worker = _worker()
    written = run.data(data, f"in.{format}")
    if any(CANARY in words for words in (written.decode("utf-8", "replace"), written.decode("utf-16", "replace"))):
        raise Fault("the known name stands in what was written")
    for error in run.failed:
        raise error


def _plain(format: str) -> Target:
    def attack(chance: random.Random, folder: Path) -> None:
        if format in ("csv", "tsv"):
            data = making.table(chance, "\t" if format == "tsv" else chance.choice(",;|"))
        elif format == "jsonl":
            data = making.jsonl(chance)
        else:
            data = making.encoded(making.text(chance), chance)
        _run(data, format, chance)

    return attack


def _file(format: str) -> Target:
    def attack(chance: random.Random, folder: Path) -> None:
        data = _samples()[format]
        for _ in range(chance.choice((1, 1, 2))):
            data = damaged(data, chance)
        _run(data, format, chance)

    return attack


def _edited(format: str) -> Target:
    """Read a damaged file, change some words in it and write it, without planning: that takes most of the time."""

    def attack(chance: random.Random, folder: Path) -> None:
        data = making.encoded(making.text(chance), chance) if format == "text" else damaged(_samples()[format], chance)
        found = formats.named(format)
        reading = Reading(encoding=chance.choice(_DECLARED), limits=_LIMITS)
        file = File(found, found.open(data, reading), reading)
        text, edits = file.document.text, []
        for part in file.document.parts or (Part(0, len(text), "text"),):
            if part.kind != "uri" and chance.random() < 0.3:
                start = chance.randint(part.start, part.end)
                edits.append((start, chance.randint(start, part.end), chance.choice(("[person 1]", "a town", "2019"))))
        check_written(_sanitizer().parts, file, file.opened.write(edits), edits, Document(text), ())

    return attack


# ---- policies, plans, codes ----------------------------------------------------------------------------


@cache
def _sanitizer() -> Sanitizer:
    return Sanitizer(Policy.from_text(POLICY), force_language=True)


def _policies(chance: random.Random, folder: Path) -> None:
    name = chance.choice(shipped_policies())
    if chance.random() < 0.5:
        policy = Policy.from_text(damaged_toml(shipped_text(name), chance))
    else:
        policy = from_dict(making.changed(to_dict(Policy.from_text(shipped_text(name))), chance))
    if chance.random() < 0.3:
        policy = combine([policy, Policy.from_text(POLICY)])
    if from_dict(to_dict(policy)).digest != policy.digest:
        raise Fault("a policy written down and read again is another one")
    if chance.random() < 0.2:
        if chance.random() < 0.95:  # reading meaning takes seconds for such texts; the others are many in no time
            policy = replace(policy, risk={name: given for name, given in policy.risk.items() if name != "meaning"})
        index, taxonomy = FakeIndex(_WINDOWS), FakeTaxonomy({"HIV": "disease", "AIDS": "disease"})
        made = Sanitizer(policy, annotators=["patterns"], index=index, taxonomy=taxonomy, force_language=True)
        made.sanitize(Document(making.text(chance), known=KNOWN))


@cache
def _planned() -> tuple[Document, dict[str, object]]:
    document = Document(" ".join(making._SENTENCES), "letter", known=KNOWN)
    body: dict[str, object] = json.loads(plan_to_json(_sanitizer().plan(document)))
    return document, body


def _plans(chance: random.Random, folder: Path) -> None:
    document, body = _planned()
    plan = plan_from_json(damaged_json(body, chance))
    if CANARY in _sanitizer().apply(document, plan).text:
        raise Fault("a changed plan let the known name out")


def _codes(chance: random.Random, folder: Path) -> None:
    name = chance.choice(codes.shipped())
    words = (Path(codes.__file__).parent / f"{name}.toml").read_text("utf-8")
    pack = codes.parse(damaged_toml(words, chance), where="pack")
    codes.propose("PERSON", ["HIV"], [pack])


# ---- certificates, trails, vaults, keys ----------------------------------------------------------------


@cache
def _index() -> Path:
    path = _folder() / "small.tix"
    build_index(path, enumerate(_WINDOWS), options=BuildOptions(processes=1))
    return path


@cache
def _certified() -> tuple[str, Policy, dict[str, object]]:
    words = f'index = "{_index()}"\ntaxonomies = ["{_taxonomy()}"]'
    policy = Policy.from_text(
        f'name = "small"\nannotate = ["patterns"]\nreplace = ["suppress"]\n[knowledge]\n{words}\n'
        '[[protect]]\nentity = "HIV"\nalpha = 2\n[risk.alpha_c]\n'
    )
    output = "The doctor and the patient in the city, a bicycle by the river."
    body = claims.certify(output, policy, open_index(_index()), open_taxonomy(_taxonomy()))
    return output, policy, json.loads(body)


def _certificates(chance: random.Random, folder: Path) -> None:
    output, policy, body = _certified()
    changed = damaged_json(body, chance)
    verdict = claims.verify(output, changed, policy)
    if verdict.holds and json.loads(changed) != body:
        raise Fault("a changed certificate was accepted")


@cache
def _trail() -> Path:
    path = _folder() / "trail.jsonl"
    trail = Trail(path, _KEY)
    for number in range(6):
        trail.append(who="ann", what="decided", case="1", details={"place": f"page {number}", "label": "PERSON"})
    return path


def _trails(chance: random.Random, folder: Path) -> None:
    data = making.bytes_of(_trail())
    lines = data.decode().splitlines()
    if chance.random() < 0.6:
        at = chance.randrange(len(lines))
        lines[at] = damaged_json(json.loads(lines[at]), chance)
        data = ("\n".join(lines) + "\n").encode()
    else:
        data = damaged(data, chance)
    path = folder / "trail.jsonl"
    path.write_bytes(data)
    for name in ("csv", "html"):
        export(read(path), name)
    verdict = check(path, _KEY)
    if verdict.holds and data.decode("utf-8", "replace").split() != making.bytes_of(_trail()).decode().split():
        raise Fault("a changed trail holds")
    Trail(path, _KEY).append(who="ann", what="decided", case="1", details={"label": "PERSON"})


def _vaults(chance: random.Random, folder: Path) -> None:
    from tacenda.replace.vault import Entry, restore, seal

    words = "[person 1] called."
    if restore(words, damaged(seal(words, [Entry(0, 10, KNOWN[0])], _KEY), chance), _KEY) != f"{KNOWN[0]} called.":
        raise Fault("a changed vault gave back another text")


def _keys(chance: random.Random, folder: Path) -> None:
    path = folder / "key"
    path.write_bytes(damaged(_KEY.encoded().encode(), chance))
    load_key(path)


# ---- knowledge and models ------------------------------------------------------------------------------


def _indexes(chance: random.Random, folder: Path) -> None:
    data = making.bytes_of(_index())
    forged = chance.random() < 0.6
    path = folder / "a.tix"
    path.write_bytes(making.resealed_index(data, chance) if forged else damaged(data, chance))
    with suppress(TacendaError, DamagedIndex):  # what the other reader makes of it is asked below
        claims.open_collection(open_index(path)).windows(("hiv",))
    index = open_index(path)
    index.counts([["HIV"], ["patient", "HIV"], ["the"], [CANARY]])
    index.information("bicycle")


@cache
def _taxonomy() -> Path:
    path = _folder() / "own.csv"
    path.write_text("child,parent,count\nHIV,disease,3\nAIDS,disease,4\nbrownie,cake,1\nsponge,cake,2\ncake,food,1\n")
    return path


_OBO = 'format-version: 1.2\n\n[Term]\nid: X:1\nname: food\n\n[Term]\nid: X:2\nname: cake\nsynonym: "tart" EXACT []\n'
_OBO += "is_a: X:1 ! food\n\n[Term]\nid: X:3\nname: brownie\nis_a: X:2\n"


def _user_taxonomies(chance: random.Random, folder: Path) -> None:
    ending = chance.choice((".csv", ".obo"))
    path = folder / f"own{ending}"
    path.write_bytes(damaged(_taxonomy().read_bytes() if ending == ".csv" else _OBO.encode(), chance))
    found = open_taxonomy(path)
    found.generalizations("brownie")
    found.specializations("food")


def _taxonomies(chance: random.Random, folder: Path) -> None:
    import tacenda

    data = making.bytes_of(Path(tacenda.__file__).parent / "data" / "taxonomies" / "medicines.tax")
    data = data.replace(b'"name":"medicines"', b'"name":"own_table"')  # names of the same length; nothing else moves
    path = folder / "a.tax"
    path.write_bytes(making.resealed_taxonomy(data, chance) if chance.random() < 0.6 else damaged(data, chance))
    found = open_taxonomy(path)
    found.generalizations("lamivudine")
    found.specializations("medicine")
    found.uses("lamivudine")


@cache
def _vectors() -> Path:
    import numpy as np

    from tacenda.knowledge.vectors.write_vectors import write_vectors

    words = ["breast cancer", "breast", "cancer", "play", "##er"]
    meta = {"kind": "static", "threshold": 0.3}
    write_vectors(_folder() / "a.tvec", words, np.eye(5, dtype=np.float32), counts=[9, 9, 9, 9, 9], meta=meta)
    return _folder() / "a.tvec"


def _vector_files(chance: random.Random, folder: Path) -> None:
    from tacenda.knowledge.vectors import open_vectors

    data = making.bytes_of(_vectors())
    path = folder / "a.tvec"
    path.write_bytes(making.resealed_vectors(data, chance) if chance.random() < 0.6 else damaged(data, chance))
    table = open_vectors(path)
    table.vectors(["the breast cancer", "player", CANARY])


def _models(chance: random.Random, folder: Path) -> None:
    """The encoder's small files and the network of meaning, damaged: never another result."""
    from tacenda.annotate.encoder.annotator import DATA, Encoder
    from tacenda.risk.meaning import network

    for path in DATA.iterdir():
        (folder / path.name).symlink_to(path)
    name = chance.choice(("config.json", "vocabulary.txt", "vectors.npy", "model.onnx", "network.npz"))
    source = DATA / name if name != "network.npz" else DATA.parent / "meaning" / name
    (folder / name).unlink(missing_ok=True)
    data = making.bytes_of(source)
    (folder / name).write_bytes(damaged(data, chance) if len(data) < 1 << 20 else data[: chance.randrange(len(data))])
    if name == "network.npz":
        network.load(folder / name)
    else:
        Encoder(folder, vectors=True).annotate(Document("Ann Porter called."))


_DOCUMENTS = {
    "html": 15, "eml": 8, "mbox": 4, "msg": 5, "docx": 15, "xlsx": 15, "pptx": 10, "odt": 10, "ods": 10, "pdf": 8
}  # fmt: skip
# Target and how often it is attacked, relative to the others: what takes long less often.
TARGETS: dict[str, tuple[Target, int]] = {
    "edited text": (_edited("text"), 200),
    **{f"edited {name}": (_edited(name), 3 * weight) for name, weight in _DOCUMENTS.items() if name != "pdf"},
    "text": (_plain("text"), 200),
    "csv": (_plain("csv"), 120),
    "tsv": (_plain("tsv"), 40),
    "jsonl": (_plain("jsonl"), 80),
    **{name: (_file(name), weight) for name, weight in _DOCUMENTS.items()},
    "policies": (_policies, 40),
    "plans": (_plans, 100),
    "codes": (_codes, 60),
    "certificates": (_certificates, 60),
    "audit trails": (_trails, 60),
    "vaults": (_vaults, 40),
    "keys": (_keys, 40),
    "indexes": (_indexes, 100),
    "taxonomies": (_taxonomies, 20),
    "own taxonomies": (_user_taxonomies, 60),
    "vectors": (_vector_files, 100),
    "models": (_models, 1),
}
__all__ = ["TARGETS", "Fault", "KnowledgeError", "clean"]
