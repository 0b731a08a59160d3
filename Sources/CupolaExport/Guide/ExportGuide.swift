internal import Cupola
internal import Mustache

// 1. Fill the format's Mustache template with code, thresholds and instructions for preparing photos.
// 2. For a model that uses a cropped area of the photo, replace the line of code that uses the whole photo.
// 3. Describe the cropped area in words, for the guide and for model files.

/// An export's `README.md`. Its code is the same for all models, except for the line that ``Geometry/adapted(_:)``
/// replaces.
struct ExportGuide {
  let model: Model
  let format: ExportFormat
  let hasMap: Bool

  /// Renders the file. Throws ``ExportError/brokenGuide(_:)``.
  func file() throws(ExportError) -> ExportFile {
    var library = MustacheLibrary()
    let templates = ["readme": PackageResources.README_mustache, "guide": format.template]
    do {
      for (name, template) in templates {
        try library.register(String(decoding: template, as: UTF8.self), named: name)
      }
    } catch {
      throw .brokenGuide("\(error)")
    }
    let text = library.render(view, withTemplate: "readme") ?? ""
    return ExportFile(path: "README.md", bytes: Array(text.utf8))
  }

  private var view: [String: Any] {
    let point = Thresholds(model.calibration)
    let geometry = model.recipe.geometry
    return [
      "format": format.rawValue, "version": cupolaVersion, "fileNote": format.fileNote,
      "none": Graph.notACampusBuilding, "labelCount": model.exportLabels.count,
      "side": model.recipe.inputSide, "hasMap": hasMap,
      "hasPlace": model.place != nil, "hasUnknown": model.labels.unfamiliar != nil,
      "hasPlaceCode": !format.placeCode.isEmpty, "isLinear": model.classifierKind == .softmax,
      "placeCode": format.placeCode.map { "`\($0.path)`" }.joined(separator: ", "),
      "geometry": geometry.guide,
      "leastOdds": Self.text(point.leastOdds), "leastShare": Self.text(point.finiteShare),
      "code": Self.code.mapValues { geometry.adapted(String(decoding: $0, as: UTF8.self)) },
    ]
  }

  private static let code = [
    "swiftRecognizer": PackageResources.CampusRecognizer_swift,
    "swiftAnswer": PackageResources.CampusAnswer_swift, "check": PackageResources.check_swift,
    "kotlinRecognizer": PackageResources.CampusRecognizer_kt,
    "kotlinAnswer": PackageResources.CampusAnswer_kt, "javaScript": PackageResources.recognizer_js,
    "python": PackageResources.classify_py, "tensors": PackageResources.tensors_py,
    "recognize": PackageResources.recognize_swift, "c": PackageResources.example_c,
  ]

  private static func text(_ number: Double) -> String {
    String(decoding: JSONWriter.bytes(of: .number(number)), as: UTF8.self)
  }
}

extension ExportFormat {
  fileprivate var template: [UInt8] {
    switch self {
    case .safetensors: PackageResources.safetensors_mustache
    case .onnx: PackageResources.onnx_mustache
    case .coreml: PackageResources.coreml_mustache
    case .tflite: PackageResources.tflite_mustache
    case .c: PackageResources.c_mustache
    }
  }

  /// The name and description of the model's files for the table in `README.md`.
  fileprivate var fileNote: String {
    let inside = "the model, including labels and thresholds"
    return switch self {
    case .safetensors:
      "`campus.safetensors` | the model file, without the hashes and digests of its training photos"
    case .onnx: "`campus.onnx` | \(inside)"
    case .coreml: "`\(CoreMLPackage.folder)` | \(inside)"
    case .tflite: "`\(TFLiteModel.file)` | \(inside)"
    case .c:
      "`\(CSource.headerName)`, `\(CSource.sourceName)` | the model as C code, including labels, thresholds and fence"
    }
  }
}

extension Geometry {
  /// Instructions for preparing a photo.
  var guide: String {
    switch self {
    case .squash:
      "stretch the whole photo to the square (scale to fill); do not crop it or add borders"
    case .centerCrop: "crop the photo to the largest centered square, then resize it"
    case .window(let window):
      "crop the photo to the area \(window.width)% wide and \(window.height)% high, \(window.left)% from the left and "
        + "\(window.top)% from the top, then stretch it to the square"
    }
  }

  /// How the photo was prepared, as the end of a phrase that starts with "photo, ". Includes the size in pixels if
  /// known.
  func shaped(side: Int? = nil) -> String {
    let pixels = side.map { "\($0) x \($0) pixels" }
    let square = pixels ?? "a square"
    switch self {
    case .squash: return "squashed to \(square)"
    case .centerCrop:
      return "cropped to its largest centered square" + (pixels.map { ", " + $0 } ?? "")
    case .window(let part):
      return "cropped to the part \(part.width)% wide and \(part.height)% high, "
        + "\(part.left)% from the left and \(part.top)% from the top, "
        + "and squashed to \(square)"
    }
  }

  var summary: String {
    switch self {
    case .squash: "scale them to fill without cropping"
    case .centerCrop: "crop them to the center without stretching"
    case .window: guide
    }
  }

  var visionOption: String {
    switch self {
    case .squash: "scale to fill"
    case .centerCrop: "center crop"
    case .window: "region of interest, scale to fill"
    }
  }

  /// Returns a guide's code without the last line break, after replacing the line that uses the whole photo.
  func adapted(_ code: String) -> String {
    code.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { line in
      guard line.hasSuffix("the whole photo is stretched to the square"),
        let word = line.split(separator: " ").first, let others = lines[String(word)]
      else { return String(line) }
      let indent = line.prefix { $0 == " " }
      return others.split(separator: "\n").map { indent + $0 }.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The replacement lines for Swift, Kotlin, JavaScript and Python. The key is the first word of the original line.
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
