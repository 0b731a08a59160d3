import json, struct
import numpy as np

TYPES = {"F32": "<f4", "F16": "<f2", "I8": "i1"}
data = open("campus.safetensors", "rb").read()
end = 8 + struct.unpack("<Q", data[:8])[0]
header = json.loads(data[8:end])
texts = header.pop("__metadata__")
tensors = {}
for name, entry in header.items():
    begin, stop = entry["data_offsets"]
    values = np.frombuffer(data[end + begin:end + stop], TYPES[entry["dtype"]])
    tensors[name] = values.reshape(entry["shape"]).astype(np.float32)
if "classifier.scale" in tensors:  # int8: one scale per label
    tensors["classifier.weight"] *= tensors["classifier.scale"][:, None]
labels, recipe = json.loads(texts["labels"]), json.loads(texts["recipe"])
temperature = json.loads(texts["calibration"])["temperature"]


def probabilities(features):
    """Returns one probability per label for a photo's features, which must have L2 norm 1."""
    logits = tensors["classifier.weight"] @ features + tensors["classifier.bias"]
    powers = np.exp((logits - logits.max()) / temperature)
    return dict(zip(labels, powers / powers.sum()))
