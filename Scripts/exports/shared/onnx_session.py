"""ONNX Runtime with an export of Cupola."""
import json
import time

import numpy as np
import onnxruntime


class Session:
    """An export on one thread."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 2  # warnings are shown
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.notes = self.session.get_modelmeta().custom_metadata_map
        self.labels = json.loads(self.notes["labels"])
        (image,), outputs = self.session.get_inputs(), self.session.get_outputs()
        self.side = image.shape[1]
        assert (image.name, image.type, image.shape) == ("image", "tensor(uint8)", [1, self.side, self.side, 3])
        assert [(o.name, o.type) for o in outputs] == [("label", "tensor(string)"), ("probabilities", "tensor(float)")]

    def answer(self, pixels):
        label, probabilities = self.session.run(None, {"image": pixels[None]})
        assert label[0] == self.labels[int(np.argmax(probabilities[0]))]
        return probabilities[0].astype(float)

    def milliseconds(self, pixels):
        start = time.perf_counter()
        self.session.run(None, {"image": pixels[None]})
        return 1e3 * (time.perf_counter() - start)
