"""Write trained weights as an int8 ONNX model, with the settings beside it.

    python -m train.export NAME --out src/tacenda/data/encoder --vocabulary vocabulary.txt

The graph is built by hand: weights of the layers are 8-bit per output column, the word table 8-bit per row, and
activations are quantized as they come (ONNX Runtime's DynamicQuantizeMatMul).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEADS = 384, 12
SHAPES = 5


class Graph:
    """Collects nodes and initializers."""

    def __init__(self, *, bits: int) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.top = 2 ** (bits - 1) - 1

    def constant(self, name: str, array: np.ndarray) -> str:
        """Store an array under a name."""
        self.weights.append(numpy_helper.from_array(array.copy(order="C"), name))
        return name

    def node(self, op: str, inputs: list[str], name: str, *, domain: str = "", **attributes: object) -> str:
        """Add a node with one output."""
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, domain=domain, **attributes))
        return name

    def linear(self, x: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """A dense layer with 8-bit weights (one scale per output)."""
        matrix = weight.T.astype(np.float32)
        scale = np.maximum(np.abs(matrix).max(0), 1e-8) / self.top
        inputs = [
            x,
            self.constant(f"{name}.w", np.clip(np.round(matrix / scale), -self.top, self.top).astype(np.int8)),
            self.constant(f"{name}.s", scale.astype(np.float32)),
            self.constant(f"{name}.z", np.zeros(len(scale), dtype=np.int8)),
            self.constant(f"{name}.b", bias.astype(np.float32)),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, name, domain="com.microsoft")

    def normal(self, x: str, y: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """Layer normalization of a sum, as an instance normalization whose channels are the pieces.

        ONNX Runtime's kernels for layer normalization add up number by number; this one is vectorised.
        """
        total = self.node("Add", [x, y], f"{name}.sum")
        flat = self.node("InstanceNormalization", [total, "ones", "zeros"], f"{name}.flat", epsilon=1e-12)
        wide = self.node("Mul", [flat, self.constant(f"{name}.w", weight.astype(np.float32))], f"{name}.wide")
        return self.node("Add", [wide, self.constant(f"{name}.b", bias.astype(np.float32))], name)

    def per_piece(self) -> None:
        """Vectors of ones and zeros, as long as the input, for the normalizations."""
        at = [self.constant("length.from", np.asarray([1])), self.constant("length.to", np.asarray([2]))]
        length = self.node("Slice", [self.node("Shape", ["ids"], "ids.shape"), *at], "length")
        for name, value in (("ones", 1.0), ("zeros", 0.0)):
            fill = helper.make_tensor(name, TensorProto.FLOAT, [1], [value])
            self.node("ConstantOfShape", [length], name, value=fill)


def embed(graph: Graph, state: dict[str, np.ndarray]) -> str:
    """Sum of word, place and shape vectors, normalized."""
    table = state["words.weight"].astype(np.float32)
    scale = np.maximum(np.abs(table).max(1, keepdims=True), 1e-8) / 127
    graph.constant("words", np.round(table / scale).astype(np.int8))
    graph.constant("words.scale", scale.astype(np.float32))
    codes = graph.node(
        "Cast", [graph.node("Gather", ["words", "ids"], "word_codes")], "word_floats", to=TensorProto.FLOAT
    )
    x = graph.node("Mul", [codes, graph.node("Gather", ["words.scale", "ids"], "word_scales")], "word_vectors")
    places = graph.constant("places", state["places.weight"].astype(np.float32))
    y = graph.node("Gather", [places, "positions"], "place_vectors")
    for n in range(SHAPES):
        table = graph.constant(f"shapes{n}", state[f"shapes.{n}.weight"].astype(np.float32))
        number = graph.constant(f"shape_number{n}", np.asarray(n, dtype=np.int64))
        column = graph.node("Gather", ["shapes", number], f"shape_column{n}", axis=2)
        y = graph.node("Add", [y, graph.node("Gather", [table, column], f"shape_vectors{n}")], f"sum{n}")
    return graph.normal(x, y, "norm", state["norm.weight"], state["norm.bias"])


def build(state: dict[str, np.ndarray], *, bits: int = 8) -> onnx.ModelProto:
    """Build the whole model from a state dictionary."""
    graph = Graph(bits=bits)
    graph.per_piece()
    x = embed(graph, state)
    layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    for n in range(layers):
        part = {
            name.removeprefix(f"layers.{n}."): array for name, array in state.items() if name.startswith(f"layers.{n}.")
        }
        qkv = graph.linear(x, f"l{n}.qkv", part["qkv.weight"], part["qkv.bias"])
        names = [f"l{n}.{c}" for c in "qkv"]
        graph.nodes.append(helper.make_node("Split", [qkv], names, name=f"l{n}.split", axis=2, num_outputs=3))
        # No mask: a run holds one window and no padding.
        mixed = graph.node("MultiHeadAttention", names, f"l{n}.mixed", domain="com.microsoft", num_heads=HEADS)
        out = graph.linear(mixed, f"l{n}.out", part["out.weight"], part["out.bias"])
        x = graph.normal(x, out, f"l{n}.norm1", part["norm1.weight"], part["norm1.bias"])
        up = graph.node(
            "Gelu",
            [graph.linear(x, f"l{n}.up", part["up.weight"], part["up.bias"])],
            f"l{n}.gelu",
            domain="com.microsoft",
        )
        down = graph.linear(up, f"l{n}.down", part["down.weight"], part["down.bias"])
        x = graph.normal(x, down, f"l{n}.norm2", part["norm2.weight"], part["norm2.bias"])
    graph.node("Identity", [x], "hidden")
    heads = graph.constant("heads.w", state["heads.weight"].T.astype(np.float32))
    bias = graph.constant("heads.b", state["heads.bias"].astype(np.float32))
    graph.node("Add", [graph.node("MatMul", [x, heads], "heads.m"), bias], "scores")
    shape = ["batch", "pieces"]
    proto = helper.make_graph(
        graph.nodes,
        "tacenda-encoder",
        [
            helper.make_tensor_value_info("ids", TensorProto.INT64, shape),
            helper.make_tensor_value_info("shapes", TensorProto.INT64, [*shape, SHAPES]),
            helper.make_tensor_value_info("positions", TensorProto.INT64, shape),
        ],
        [
            helper.make_tensor_value_info("scores", TensorProto.FLOAT, [*shape, 42]),
            helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [*shape, WIDTH]),
        ],
        initializer=graph.weights,
    )
    domains = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(proto, opset_imports=domains, ir_version=9, producer_name="tacenda")


def main() -> None:
    """Export, copy vocabulary and vector matrix beside the model, and write down the checksums of all three."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", help="NAME of NAME.words.npz and NAME.layers.npz")
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--bits", type=int, default=8, help="bits of the layers' weights (7 is safe on processors without VNNI)"
    )
    args = parser.parse_args()
    with np.load(f"{args.weights}.layers.npz") as file:
        state = {name: file[name].astype(np.float32) for name in file.files}
    with np.load(f"{args.weights}.words.npz") as file:  # the word table travels as 8-bit rows
        state["words.weight"] = file["words.weight"].astype(np.float32) * file["words.scale"][:, None]
    args.out.mkdir(parents=True, exist_ok=True)
    onnx.save(build(state, bits=args.bits), args.out / "model.onnx")
    np.save(args.out / "vectors.npy", state["vector.weight"].T.astype(np.float16))
    shutil.copyfile(args.vocabulary, args.out / "vocabulary.txt")
    config = args.out / "config.json"
    settings = json.loads(config.read_text("utf-8")) if config.is_file() else {}
    files = ("model.onnx", "vectors.npy", "vocabulary.txt")
    settings["sha256"] = {name: hashlib.sha256((args.out / name).read_bytes()).hexdigest() for name in files}
    config.write_text(json.dumps(settings) + "\n", "utf-8")


if __name__ == "__main__":
    main()
