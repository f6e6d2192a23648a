"""Mutate a certificate and its output ten thousand times: is a weaker claim ever accepted?

    python -m benchmarks.quality.certificates.run [--mutations 10000] [--output results.json]

A letter is sanitized under `health` with a certificate. Nineteen of twenty mutations change the certificate (another
value, another type, deletion, emptying, swapping two leaves, adding); the right answer to each that differs is *no*.
The examination of the output takes the output, what the recipient requires and the index, never the certificate. So it
is the same for all of these: it is made once and remembered by exactly these three, and for every tenth mutation it is
made afresh and the two answers are compared.
One in twenty puts another word into the output and forges everything a forger can: the certificate is made anew for the
changed output. The answer *yes* is right only if the risk models of the product, which share no code with the
verifier, find nothing in it.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.quality.certificates.mutations import mutate
from tacenda import Document, Sanitizer, claims, load_policy
from tacenda.certify import certificate as module
from tacenda.certify.certificate import state, to_json, verify
from tacenda.certify.examine import Findings
from tacenda.certify.index_file import Collection
from tacenda.certify.required import Required

AFRESH = 10
LETTER = (
    "He was treated for pneumocystis pneumonia at the hospital in January. His CD4 count is 180 and he has started "
    "antiretroviral therapy. He used heroin until 2015 and has been on methadone since. He walks to work every day, "
    "plays chess on Sundays and has a dog. His blood pressure is normal and his sleep is good."
)
INSERTED = (
    "HIV hiv H.I.V. AIDS zidovudine AZT gp120 CD4 condom syphilis gonorrhea RPR chancre heroin cocaine c-o-c-a-i-n-e "
    "addict methadone Suboxone naloxone sober tree river table music winter doctor letter Monday kitchen zebra qqqq "
    "patient virus infection needle homosexual alcohol drinking transfusion hepatitis condoms partner clinic blood"
).split()


def measure(mutations: int) -> dict[str, Any]:
    """Count answers by kind of mutation."""
    policy = load_policy("health")
    sanitizer = Sanitizer(policy).covering()
    output = sanitizer.sanitize(Document(LETTER)).text
    required = claims.required(policy, sanitizer.index, sanitizer.taxonomy)
    index = claims.open_collection(sanitizer.index)
    found, table = state(output, required, index)
    table = json.loads(to_json(table))
    assert verify(output, table, required, index).holds
    draw, answers, wrong, afresh = random.Random(20), Counter[str](), 0, 0
    examined = module.examine

    def remembered(text: str, asked: Required, files: Collection) -> Findings:
        assert (text, id(asked), id(files)) == (output, id(required), id(index)), "not the question that was answered"
        return found

    for number in range(mutations * 19 // 20):
        how, changed = mutate(table, draw)
        module.examine = remembered
        try:
            verdict = verify(output, changed, required, index)
        finally:
            module.examine = examined
        if number % AFRESH == 0:
            afresh += 1
            wrong += verify(output, changed, required, index) != verdict
        same = json.dumps(changed, sort_keys=True) == json.dumps(table, sort_keys=True)
        answers[f"certificate, {how}: {'yes' if verdict.holds else 'no'}{' (nothing changed)' if same else ''}"] += 1
        wrong += verdict.holds != same
    for _ in range(mutations // 20):
        words = output.split()
        words.insert(draw.randrange(len(words)), draw.choice(INSERTED))
        changed = " ".join(words)
        _, forged = state(changed, required, index)
        holds = verify(changed, json.loads(to_json(forged)), required, index).holds
        plan = sanitizer.plan(Document(changed)) if holds else None
        telling = bool(plan and any(risk.model in ("alpha_c", "protected") for risk in plan.risks))
        answers[f"output: {'yes' if holds else 'no'}"] += 1
        wrong += telling
    counts = {"mutations": sum(answers.values()), "examined afresh": afresh + mutations // 20}
    return {**counts, "wrong answers": wrong, "answers": dict(sorted(answers.items()))}


def main() -> None:
    """Measure and print, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutations", type=int, default=10_000)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    text = json.dumps(measure(options.mutations), indent=1) + "\n"
    options.output.write_text(text, "utf-8") if options.output else print(text)


if __name__ == "__main__":
    main()
