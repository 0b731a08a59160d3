"""Asks the Python code of model files for probabilities: probabilities.py FOLDER...

A folder holds tensors.py, as the export's README.md has it, the model file, and logits.txt: the logits of a photo a line.
The classifier is exchanged for one that hands them through; the temperature is the model's. Prints as many lines.
"""
import os
import sys

import numpy

for folder in sys.argv[1:]:
    os.chdir(folder)
    guide = {}
    exec(open("tensors.py", encoding="utf-8").read(), guide)
    for line in open("logits.txt"):
        logits = numpy.array(line.split(), float)
        assert [len(guide["tensors"]["classifier." + name]) for name in ("weight", "bias")] == [len(logits)] * 2
        guide["tensors"].update({"classifier.weight": numpy.eye(len(logits)), "classifier.bias": logits * 0})
        print(*guide["probabilities"](logits).values())
