"""The evaluated texts and their gold spans, as the scripts of this folder use them."""

from __future__ import annotations

from pathlib import Path

from train import corpora, treebank


def typed_texts(data: Path) -> dict[str, str]:
    """Every evaluated text outside the treebanks, by set and document."""
    texts = {f"tab:{r['doc_id']}": r["text"] for r in corpora.lines(data / "tab_test127/tab_dev40.jsonl")}
    texts |= {f"actors:{r['doc_id']}": r["text"] for r in corpora.lines(data / "actors50/actors_dev20.jsonl")}
    texts |= {f"asq:{r['id']}": r["query"] for r in corpora.lines(data / "asq_phi/asq_dev300.jsonl")}
    texts |= {f"bios:{r['doc_id']}": r["text"] for r in corpora.lines(data / "wiki_replace100/wiki_dev30.jsonl")}
    texts |= {f"wikigold:{e.doc}": e.text for e in wikigold(data)}
    return texts


def wikigold(data: Path) -> list:
    """WikiGold as running text."""
    return corpora.conll(data / "wikigold/wikigold_dev.conll", "wikigold", corpora.CONLL)


def treebank_dev(data: Path) -> dict[str, list[treebank.Tree]]:
    """The development parts of both treebanks; nothing is trained on them."""
    return {
        "ewt_dev": treebank.read(data / "ud_ewt/ewt_dev.conllu.gz"),
        "gum_dev": treebank.read(data / "ud_gum_ccby/gum_dev.conllu.gz"),
    }
