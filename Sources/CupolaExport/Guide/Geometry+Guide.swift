internal import Cupola

extension Geometry {
  /// What an app does with a photo.
  var guide: String {
    switch self {
    case .squash:
      "stretch the whole photo to the square (scale to fill); neither crop it nor add borders"
    case .centerCrop: "cut out the largest centered square, then resize it"
    case .window(let window):
      "cut out the part \(window.width) % wide and \(window.height) % high from \(window.left) % from the left and "
        + "\(window.top) % from the top, then stretch it to the square"
    }
  }

  /// What has become of an upright photo, for the texts in model files: it stands behind "photo, ".
  ///
  /// - Parameter side: rows and columns in pixels, where they are told.
  func shaped(side: Int? = nil) -> String {
    let pixels = side.map { "\($0) x \($0) pixels" }
    let square = pixels ?? "a square"
    switch self {
    case .squash: return "squashed to \(square)"
    case .centerCrop:
      return "cropped to its largest centered square" + (pixels.map { ", " + $0 } ?? "")
    case .window(let part):
      return "cropped to the part \(part.width) % wide and \(part.height) % high "
        + "from \(part.left) % from the left and \(part.top) % from the top, "
        + "and squashed to \(square)"
    }
  }

  /// What an app does with photos, as briefly as it can be said.
  var summary: String {
    switch self {
    case .squash: "scale them to fill, do not crop"
    case .centerCrop: "crop them to the center, do not stretch"
    case .window: guide
    }
  }

  /// What Vision calls it.
  var visionOption: String {
    switch self {
    case .squash: "scale to fill"
    case .centerCrop: "center crop"
    case .window: "region of interest, scale to fill"
    }
  }

  /// A guide's code, without its last line end, for this geometry.
  ///
  /// The code as it stands uses the whole photo, and says so at the end of one line; for other
  /// geometries that line is replaced.
  func adapted(_ code: String) -> String {
    code.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      guard line.hasSuffix("the whole photo is stretched to the square"),
        let word = line.split(separator: " ").first, let others = lines[String(word)]
      else { return String(line) }
      let indent = line.prefix { $0 == " " }
      return others.split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// What stands instead of the line that uses the whole photo, by that line's first word: in Swift,
  /// Kotlin, JavaScript and Python.
  private var lines: [String: String] {
    switch self {
    case .squash: [:]
    case .centerCrop:
      [
        "request.imageCropAndScaleOption": "request.imageCropAndScaleOption = .centerCrop",
        "val": """
        val edge = minOf(upright.width, upright.height)
        val (left, top) = (upright.width - edge) / 2 to (upright.height - edge) / 2
        val part = Bitmap.createBitmap(upright, left, top, edge, edge)
        """,
        "const": """
        const edge = Math.min(width, height);
        const part = [(width - edge) / 2, (height - edge) / 2, edge, edge];
        """,
        "#": "photo = ImageOps.fit(photo, (min(photo.size),) * 2, Image.Resampling.BILINEAR)",
      ]
    case .window(let part):
      [
        "request.imageCropAndScaleOption": """
        request.imageCropAndScaleOption = .scaleFill
        request.regionOfInterest = CGRect(  // from the lower left
          x: \(part.left) / 100.0, y: \(100 - part.top - part.height) / 100.0,
          width: \(part.width) / 100.0, height: \(part.height) / 100.0)
        """,
        "val": """
        val (width, height) = upright.width to upright.height
        val part = Bitmap.createBitmap(
          upright, width * \(part.left) / 100, height * \(part.top) / 100,
          maxOf(1, width * \(part.width) / 100), maxOf(1, height * \(part.height) / 100))
        """,
        "const": """
        const part = [\(part.left), \(part.top), \(part.width), \(part.height)]
          .map((percent, i) => (percent * [width, height][i % 2]) / 100);
        """,
        "#": """
        left, top = width * \(part.left) // 100, height * \(part.top) // 100
        photo = photo.crop((left, top, left + max(1, width * \(part.width) // 100),
                            top + max(1, height * \(part.height) // 100)))
        """,
      ]
    }
  }
}
