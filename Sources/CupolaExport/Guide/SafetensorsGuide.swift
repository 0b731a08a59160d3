/// How runtimes of one's own use a model file.
enum SafetensorsGuide {
  /// The text, in Markdown.
  static func text(_ decision: GuideDecision) -> String {
    """
    `campus.safetensors` is Cupola's own model file, to be read by `Model(contentsOf:)` of the Swift package, or by a runtime of
    one's own: tensors of 32, 16 or 8 bits, and the recipe, labels and calibration as JSON in `__metadata__`. Its layout is
    described in Documentation/Formats.md of Cupola; every step of the features in the comments of Sources/Cupola/Features.

    ## Python: what is inside

    ```python
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
    if "classifier.scale" in tensors:  # int8: one scale a label
        tensors["classifier.weight"] *= tensors["classifier.scale"][:, None]
    labels, recipe = json.loads(texts["labels"]), json.loads(texts["recipe"])
    temperature = json.loads(texts["calibration"])["temperature"]


    def probabilities(features):
        \"""From the recipe's features, of L2 norm 1, to one probability a label of the file.\"""
        logits = tensors["classifier.weight"] @ features + tensors["classifier.bias"]
        powers = np.exp((logits - logits.max()) / temperature)
        return dict(zip(labels, powers / powers.sum()))
    ```

    ## Swift

    ```swift
    import Cupola

    let recognizer = Recognizer(model: try Model(contentsOf: "campus.safetensors"))
    let answer = try recognizer.recognize(photo: jpegBytes)  // fence, orientation and decision are inside
    ```
    """
  }
}
