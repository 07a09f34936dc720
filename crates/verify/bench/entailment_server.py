#!/usr/bin/env python3
"""Serves an ONNX model of text pairs in the form that `--entailment-url` asks for, for measuring.

    pip install onnxruntime tokenizers
    python3 crates/verify/bench/entailment_server.py MODEL.onnx TOKENIZER.json --labels neutral,contradiction

`--labels` names the model's outputs in order; of `entailment`, `contradiction` and `neutral` those that it does
not have are answered with 0, so that a model which only tells contradiction never supports anything. It listens
on this machine alone, and answers `POST /predict` as docs/verify.md says. No model is part of this repository.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, HTTPServer

import numpy
import onnxruntime
from tokenizers import Tokenizer

LABELS = ("entailment", "contradiction", "neutral")
BODY_BYTES_MAX = 4 << 20
PAIRS_MAX = 64


class Model:
    """A model with its tokenizer."""

    def __init__(self, model, tokenizer, labels, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.names = {wanted.name for wanted in self.session.get_inputs()}
        self.labels = labels

    def predict(self, premise, hypothesis):
        """The three labels with their shares, for one pair."""
        read = self.tokenizer.encode(premise, hypothesis)
        given = {"input_ids": read.ids, "attention_mask": read.attention_mask, "token_type_ids": read.type_ids}
        inputs = {name: numpy.array([values], dtype=numpy.int64) for name, values in given.items() if name in self.names}
        logits = self.session.run(None, inputs)[0][0]
        shares = numpy.exp(logits - logits.max())
        told = dict(zip(self.labels, (shares / shares.sum()).tolist()))
        return [{"label": label, "score": told.get(label, 0.0)} for label in LABELS]


class Handler(BaseHTTPRequestHandler):
    """Answers `POST /predict`."""

    model = None

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        if self.path != "/predict" or not 0 < length <= BODY_BYTES_MAX:
            return self.answer(404, {"error": "POST /predict, with a body"})
        try:
            pairs = json.loads(self.rfile.read(length))["inputs"][:PAIRS_MAX]
            answer = [self.model.predict(str(premise), str(hypothesis)) for premise, hypothesis in pairs]
        except (ValueError, KeyError, TypeError) as error:
            return self.answer(400, {"error": str(error)})
        return self.answer(200, answer)

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Says nothing of each request."""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("model")
    arguments.add_argument("tokenizer")
    arguments.add_argument("--labels", default="entailment,neutral,contradiction")
    arguments.add_argument("--port", type=int, default=8077)
    arguments.add_argument("--threads", type=int, default=1)
    given = arguments.parse_args()
    labels = given.labels.split(",")
    if not set(labels) <= set(LABELS):
        arguments.error(f"--labels are of {', '.join(LABELS)}")
    Handler.model = Model(given.model, given.tokenizer, labels, given.threads)
    print(f"http://127.0.0.1:{given.port}/predict", flush=True)
    HTTPServer(("127.0.0.1", given.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
