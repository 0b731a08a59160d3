internal import Cupola
internal import Mustache

// 1. Fill the format's Mustache template with thresholds and instructions for preparing photos, and list the code.
// 2. For a model that uses a cropped area of the photo, replace the line of code that uses the whole photo.
// 3. Describe the cropped area in words, for the guide and for model files.

/// An export's `README.md` and code. The code is the same for all models, except for the line that
/// ``Geometry/adapted(_:)`` replaces.
struct ExportGuide {
  let model: Model
  let format: ExportFormat
  let notes: ExportNotes

  /// Renders the files. Throws ``ExportError/brokenGuide(_:)``.
  func files() throws(ExportError) -> [ExportFile] {
    let code = groups.flatMap(\.files).map { file in
      let text = model.recipe.geometry.adapted(String(decoding: file.text, as: UTF8.self))
      return ExportFile(path: file.path, bytes: Array((text + "\n").utf8))
    }
    let templates = [
      "readme": PackageResources.README_mustache, "guide": format.template,
      "package": PackageResources.Package_mustache,
    ]
    var library = MustacheLibrary()
    do {
      for (name, template) in templates {
        try library.register(String(decoding: template, as: UTF8.self), named: name)
      }
    } catch {
      throw .brokenGuide("\(error)")
    }
    let own = [("README.md", "readme")] + (format == .coreml ? [("Package.swift", "package")] : [])
    return code
      + own.map { path, name in
        ExportFile(
          path: path, bytes: Array((library.render(view, withTemplate: name) ?? "").utf8))
      }
  }

  /// The code for apps. The code for tensors requires a linear classifier.
  private var groups: [ExportFormat.CodeGroup] {
    model.classifierKind == .softmax ? format.code : []
  }

  private var view: [String: Any] {
    let point = notes.point
    let geometry = model.recipe.geometry
    let code = String(decoding: PackageResources.recognize_swift, as: UTF8.self)
    return [
      "name": notes.title, "format": format.rawValue, "version": cupolaVersion,
      "fileNote": format.fileNote, "none": Graph.notACampusBuilding,
      "labelCount": model.exportLabels.count,
      "side": model.recipe.inputSide, "hasMap": notes.campus != nil,
      "hasPlace": model.place != nil, "hasUnknown": model.labels.unfamiliar != nil,
      "isLinear": model.classifierKind == .softmax, "isHalf": model.weightFormat == .float16,
      "isShareLimited": point.finiteShare > 0, "namesNothing": point.namesNothing,
      "hasThresholds": point.leastOdds > 0 || point.finiteShare > 0 && !point.namesNothing,
      "maximumError": Self.text(point.maximumError), "isRequested": point.isRequested,
      "isGuaranteed": point.isGuaranteed, "isCalibrated": model.isCalibrated,
      "isModelFile": format == .safetensors,
      "isOddsLimited": point.leastOdds > 0, "leastOdds": Self.text(point.leastOdds),
      "tolerance": Self.text(format.tolerance(model.weightFormat).probability),
      "codeFiles": groups.map { group in
        [
          "path": group.files.map { "`\($0.path)`" }.joined(separator: ", "), "note": group.note,
        ]
      },
      "geometry": geometry.guide,
      "leastShare": Self.text(point.finiteShare),
      "code": ["recognize": String(code.dropLast())],
    ]
  }

  /// Returns a number with 4 significant digits.
  private static func text(_ number: Double) -> String {
    var factor = 1.0
    while number.magnitude * factor < 1000, factor < 1e12 { factor *= 10 }
    let rounded = number.isFinite ? (number * factor).rounded() / factor : number
    return String(decoding: JSONWriter.bytes(of: .number(rounded)), as: UTF8.self)
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
    case .web: PackageResources.web_mustache
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
    case .web:
      "`\(WebProgram.path)` | the model as WebAssembly, including labels, thresholds, fence and places"
    }
  }

  fileprivate typealias CodeGroup = (note: String, files: [(path: String, text: [UInt8])])

  /// The code for apps, with descriptions for the table in `README.md`.
  fileprivate var code: [CodeGroup] {
    switch self {
    case .safetensors:
      [("reading the tensors in Python", [("tensors.py", PackageResources.tensors_py)])]
    case .onnx:
      [
        (
          "Python: recognizer, check, and versions of packages",
          [
            ("recognize.py", PackageResources.recognize_py),
            ("place.py", PackageResources.place_py),
            ("check.py", PackageResources.check_py),
            ("requirements.txt", PackageResources.requirements_txt),
          ]
        ),
        (
          "browsers: page, recognizer, check, and version of ONNX Runtime",
          [
            ("index.html", PackageResources.index_html),
            ("recognizer.js", PackageResources.recognizer_js),
            ("place.js", PackageResources.place_js), ("check.js", PackageResources.check_js),
            ("package.json", PackageResources.package_json),
          ]
        ),
      ]
    case .coreml:
      [
        (
          "the recognizer",
          [
            ("CampusRecognizer.swift", PackageResources.CampusRecognizer_swift),
            ("CampusAnswer.swift", PackageResources.CampusAnswer_swift),
            ("Place.swift", PackageResources.Place_swift),
            ("Square.swift", PackageResources.Square_swift),
          ]
        ),
        (
          "the check, run by `swift run check`",
          [("Check/main.swift", PackageResources.check_swift)]
        ),
      ]
    case .tflite:
      [
        (
          "the recognizer",
          [
            ("src/main/kotlin/CampusRecognizer.kt", PackageResources.CampusRecognizer_kt),
            ("src/main/kotlin/CampusAnswer.kt", PackageResources.CampusAnswer_kt),
            ("src/main/kotlin/Place.kt", PackageResources.Place_kt),
          ]
        ),
        (
          "the Gradle module",
          [
            ("build.gradle.kts", PackageResources.build_gradle_kts),
            ("src/main/AndroidManifest.xml", PackageResources.AndroidManifest_xml),
          ]
        ),
        (
          "the check, run on a device",
          [("src/androidTest/kotlin/GoldenTest.kt", PackageResources.GoldenTest_kt)]
        ),
      ]
    case .c:
      [
        (
          "example, check, and CMake project",
          [
            ("example.c", PackageResources.example_c), ("check.c", PackageResources.check_c),
            ("CMakeLists.txt", PackageResources.CMakeLists_txt),
          ]
        )
      ]
    case .web:
      [
        (
          "the page, and its copy for use without a network",
          [
            ("index.html", PackageResources.web_html), ("page.css", PackageResources.page_css),
            ("page.js", PackageResources.page_js), ("offline.js", PackageResources.offline_js),
          ]
        ),
        (
          "the recognizer, also for your own pages", [("recognizer.js", PackageResources.web_js)]
        ),
        (
          "the check, which the address `index.html?check` runs",
          [("check.js", PackageResources.check_js)]
        ),
      ]
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
        "let": """
        let edge = min(photo.width, photo.height)
        let part = ((photo.width - edge) / 2, (photo.height - edge) / 2, edge, edge)
        """,
        "val": """
        val edge = minOf(upright.width, upright.height)
        val (left, top) = (upright.width - edge) / 2 to (upright.height - edge) / 2
        val part = Bitmap.createBitmap(upright, left, top, edge, edge)
        """,
        "const": """
        const edge = Math.min(width, height);
        const part = [Math.floor((width - edge) / 2), Math.floor((height - edge) / 2), edge, edge];
        """,
        "#": """
        edge = min(width, height)
        left, top = (width - edge) // 2, (height - edge) // 2
        photo = photo.crop((left, top, left + edge, top + edge))
        """,
      ]
    case .window(let part):
      [
        "let": """
        let part = (
          photo.width * \(part.left) / 100, photo.height * \(part.top) / 100,
          max(1, photo.width * \(part.width) / 100), max(1, photo.height * \(part.height) / 100))
        """,
        "val": """
        val (width, height) = upright.width to upright.height
        val part = Bitmap.createBitmap(
          upright, width * \(part.left) / 100, height * \(part.top) / 100,
          maxOf(1, width * \(part.width) / 100), maxOf(1, height * \(part.height) / 100))
        """,
        "const": """
        const part = [\(part.left), \(part.top), \(part.width), \(part.height)]
          .map((percent, i) => Math.max(i >> 1, Math.floor((percent * [width, height][i % 2]) / 100)));
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
