import Cupola

/// How browsers and Python use an ONNX export.
enum ONNXGuide {
  /// The text, in Markdown.
  static func text(_ decision: GuideDecision) -> String {
    """
    Input `image`: 8-bit RGB, 1 x \(decision.side) x \(decision.side) x 3, rows from the top. Outputs `label`, one text, and
    `probabilities`, 1 x \(decision.labelCount), in the order of the labels. Operation set 13, IR version 7: ONNX Runtime
    1.7 or later, on any platform.

    ## JavaScript

    ```javascript
    \(javaScript(decision))
    ```

    ```javascript
    const recognizer = await CampusRecognizer.load();
    console.log(await recognizer.answer(photoFile, { longitude: 10.9, latitude: 48.3 }));
    ```

    ## Python

    ```python
    \(python(decision))
    ```
    """
  }

  private static func javaScript(_ decision: GuideDecision) -> String {
    """
    import * as ort from "onnxruntime-web";

    const SIDE = \(decision.side), LEAST_ODDS = \(decision.leastOdds), LEAST_SHARE = \(decision.leastShare);

    export class CampusRecognizer {
      static async load(folder = ".") {
        const recognizer = new CampusRecognizer();
        recognizer.session = await ort.InferenceSession.create(`${folder}/campus.onnx`);
        recognizer.labels = (await (await fetch(`${folder}/export.json`)).json()).notes.labels;
        const map = await fetch(`${folder}/campus.geojson`);
        const features = map.ok ? (await map.json()).features : [];
        recognizer.fence = grounds(features);
        recognizer.records = new Map(features.map(({ properties: p }) => [p.label, p])); // name, address and so on
        return recognizer;
      }

      /** photo: a File or Blob; place: {longitude, latitude} or nothing. */
      async answer(photo, place) {
        if (place && this.fence.length && !this.fence.some((rings) => inside(rings, place)))
          return { verdict: "not_on_campus" };
        const image = new ort.Tensor("uint8", await pixels(photo), [1, SIDE, SIDE, 3]);
        const p = (await this.session.run({ image })).probabilities.data;
        const ranked = [...p.keys()].slice(1).sort((a, b) => p[b] - p[a]);
        const [first, second] = ranked, all = ranked.reduce((sum, i) => sum + p[i], 0);
        const share = (i) => (i === undefined || all === 0 ? 0 : p[i] / all);
        if (first === undefined || Math.log(p[first] / p[0]) < LEAST_ODDS) return { verdict: "not_a_campus_building" };
        if (share(first) >= LEAST_SHARE)
          return { verdict: "building", ...this.building(first), probability: p[first] };
        if (share(first) + share(second) >= LEAST_SHARE)
          return { verdict: "unsure", between: [this.building(first), this.building(second)] };
        return { verdict: "not_a_campus_building" };
      }

      building(index) {
        const label = this.labels[index], record = this.records.get(label) ?? {};
        return { label, name: record.name ?? label, record };
      }
    }

    async function pixels(photo) {
      const picture = await createImageBitmap(photo, { imageOrientation: "from-image" }); // upright
      const { width, height } = picture;
      const canvas = new OffscreenCanvas(SIDE, SIDE), context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(picture, \(decision.geometry.canvasRectangle), 0, 0, SIDE, SIDE);
      const rgba = context.getImageData(0, 0, SIDE, SIDE).data, rgb = new Uint8Array(SIDE * SIDE * 3);
      for (let i = 0, j = 0; i < rgba.length; i += 4) for (let c = 0; c < 3; c++) rgb[j++] = rgba[i + c];
      return rgb;
    }

    /** Polygons of the grounds, each a list of rings: the first around it, the others around its holes. */
    function grounds(features) {
      return features
        .filter(({ properties: p }) => p.role === "boundary")
        .flatMap(({ geometry: g }) => (g.type === "Polygon" ? [g.coordinates] : g.coordinates));
    }

    function inside(rings, { longitude: x, latitude: y }) {
      let crossings = 0;
      for (const ring of rings)
        for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
          const [ax, ay] = ring[i], [bx, by] = ring[j];
          if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) crossings++;
        }
      return crossings % 2 === 1;
    }
    """
  }

  private static func python(_ decision: GuideDecision) -> String {
    """
    import json, math, sys
    import numpy as np, onnxruntime
    from PIL import Image, ImageOps

    SIDE, LEAST_ODDS, LEAST_SHARE = \(decision.side), \(decision.leastOdds), \(decision.leastShare)
    session = onnxruntime.InferenceSession("campus.onnx")
    labels = json.loads(session.get_modelmeta().custom_metadata_map["labels"])
    \(PythonGuide.fence)

    def answer(path, place=None):
        \"""place: (longitude, latitude), if known.\"""
        if place and FENCE and not any(inside(rings, *place) for rings in FENCE):
            return "Not on Campus"
        photo = ImageOps.exif_transpose(Image.open(path)).convert("RGB")  # upright
        \(decision.geometry.pillowLine)
        image = np.asarray(photo.resize((SIDE, SIDE), Image.Resampling.BILINEAR))[None]
        p = session.run(["probabilities"], {"image": image})[0][0].astype(float)
        \(PythonGuide.decision)

    if __name__ == "__main__":
        print(answer(sys.argv[1]))
    """
  }
}

/// Parts of code that several guides share.
enum PythonGuide {
  static let fence = """
    try:
        features = json.load(open("campus.geojson", encoding="utf-8")).get("features", [])
    except FileNotFoundError:
        features = []
    GROUNDS = [f["geometry"] for f in features if f["properties"]["role"] == "boundary"]
    FENCE = [rings for g in GROUNDS for rings in ([g["coordinates"]] if g["type"] == "Polygon" else g["coordinates"])]
    RECORDS = {f["properties"]["label"]: f["properties"] for f in features if f["properties"]["role"] == "building"}

    def inside(rings, x, y):
        crossings = 0
        for ring in rings:
            for (ax, ay, *_), (bx, by, *_) in zip(ring, ring[1:]):
                if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                    crossings += 1
        return crossings % 2 == 1
    """

  /// Within a function; `p` has the probabilities.
  static let decision = """
    ranked = sorted(range(1, len(p)), key=lambda i: -p[i])
        if not ranked or math.log(max(p[ranked[0]], 1e-300) / max(p[0], 1e-300)) < LEAST_ODDS:
            return "Not a Campus Building"
        shares = [p[i] / max(sum(p[1:]), 1e-300) for i in ranked]
        names = [RECORDS.get(labels[i], {}).get("name", labels[i]) for i in ranked]
        if shares[0] >= LEAST_SHARE:
            return f"{names[0]} ({p[ranked[0]]:.1%})"
        if sum(shares[:2]) >= LEAST_SHARE:
            return f"Unsure: {names[0]} or {names[1]}"
        return "Not a Campus Building"
    """
}

extension Geometry {
  /// The part of a photo that is drawn: x, y, width, height in JavaScript.
  fileprivate var canvasRectangle: String {
    switch self {
    case .squash: "0, 0, width, height"
    case .centreCrop:
      "Math.max(0, width - height) / 2, Math.max(0, height - width) / 2, "
        + "Math.min(width, height), Math.min(width, height)"
    case .window(let window):
      "\(window.left) * width / 100, \(window.top) * height / 100, "
        + "\(window.width) * width / 100, \(window.height) * height / 100"
    }
  }

  /// What is done with a photo before it is resized, in Python.
  fileprivate var pillowLine: String {
    switch self {
    case .squash: "# the whole photo is stretched to the square"
    case .centreCrop:
      "photo = ImageOps.fit(photo, (min(photo.size),) * 2, Image.Resampling.BILINEAR)"
    case .window(let window):
      "photo = photo.crop((photo.width * \(window.left) // 100, photo.height * \(window.top) // 100, "
        + "photo.width * \(window.left + window.width) // 100, photo.height * \(window.top + window.height) // 100))"
    }
  }
}
