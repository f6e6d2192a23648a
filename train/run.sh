#!/usr/bin/env bash
# The whole training, in the order docs/encoder.md tells. Needs torch, spaCy and onnx; a GPU for `train.fit`.
#   train/run.sh DATA SPACY_MODEL MINILM_FOLDER MPNET_FOLDER WORDNET_FOLDER WORK
# Each folder of weights holds model.safetensors and vocab.txt; results are left in WORK, the model in WORK/model.
set -euo pipefail
data=$1 spacy=$2 minilm=$3 mpnet=$4 wordnet=$5 work=$6
mkdir -p "$work"
vocabulary=$minilm/vocab.txt

python -m train.base minilm "$minilm/model.safetensors" "$work/base.npz"
python -m train.base mpnet "$mpnet/model.safetensors" "$work/mpnet" --vocabulary "$mpnet/vocab.txt" --into "$vocabulary" --parts 2
python -m train.silver --data "$data" --spacy "$spacy" --out "$work/silver.jsonl.gz"
python -m train.plain --data "$data" --out "$work/plain.jsonl.gz"
python -m train.pack --data "$data" --silver "$work/silver.jsonl.gz" --plain "$work/plain.jsonl.gz" \
    --vocabulary "$vocabulary" --splits benchmarks/quality/splits.json --out "$work/packed"
mkdir -p "$work/senses"
for file in semcor3.0 noad_semcor_masc; do tar xJf "$data/senses/$file.tar.xz" -C "$work/senses"; done
python -m train.senses.pack --wordnet "$wordnet" --senses "$work/senses" --vocabulary "$vocabulary" \
    --plain "$work/plain.jsonl.gz" --every 1 --out "$work/senses.npz"
python -m train.meaning.pack --data "$data" --plain "$work/plain.jsonl.gz" --vocabulary "$vocabulary" \
    --tune benchmarks/quality/meaning/tune.jsonl --out "$work/meaning.npz"

fit="python -m train.fit --packed $work/packed --config train/config.toml"
teach="$fit --kind mpnet --layers 12 --base $work/mpnet0.npz $work/mpnet1.npz --soft"
bases="$work/mpnet0.npz $work/mpnet1.npz"
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
python -m train.teach meaning --data "$work/meaning.npz" --base $bases --out "$work/meaning" &
meaning=$!
$teach --only ewt gum --pieces 4096 --epochs 5 --out "$work/tagger"
python -m train.teach senses --data "$work/senses.npz" --base $bases --small "$work/base.npz" --out "$work/senses" &
senses=$!
$teach --fold -1 --epochs 3 --tagger "$work/tagger.soft.npy" --out "$work/teacher-1"
wait $meaning $senses
student="$fit --base $work/base.npz --layers 4 --vectors --epochs 8 --senses $work/senses.npz
    --senses-teacher $work/senses.soft.npy --meaning $work/meaning.npz"
$student --fold -1 --teachers "$work/teacher-1.soft.npy" --meaning-teacher "$work/meaning.soft.npy" --out "$work/student-1" &
# Fold 0 learns nothing of what is kept for measuring: no teacher of readings either.
$teach --fold 0 --epochs 3 --tagger "$work/tagger.soft.npy" --out "$work/teacher0"
$student --fold 0 --teachers "$work/teacher0.soft.npy" --out "$work/student0"
wait

python -m train.export "$work/student-1" --vocabulary "$vocabulary" --bits 7 --out "$work/model"
python -m train.senses.export "$work/student-1.senses.npz" -o src/tacenda/data/senses
heldout="--data $data --silver $work/silver.jsonl.gz --gold $work/packed/gold.npz --folds $work/student0.npz
    --model $work/model --vocabulary $vocabulary"
python -m train.limits $heldout --out benchmarks/quality/detection/limits.json
# The limits chosen on all documents go into config.json beside the model, by hand; then:
#   python -m train.heldout $heldout --out benchmarks/quality/detection/heldout.json
#   python -m train.meaning $data src/tacenda/data/meaning --tune benchmarks/quality/meaning/tune.jsonl
