internal import Cupola
internal import Mustache

/// `README.md` of an export: what is there, and code to paste.
///
/// `Text` holds its Mustache templates, `Code` the code: files that compile and run as they stand. They
/// are the same for every model but for the lines that ``Geometry/adapted(_:)`` replaces; labels,
/// thresholds and the map are read from the export.
struct ExportGuide {
  let model: Model
  let format: ExportFormat
  let hasMap: Bool

  /// - Throws: ``ExportError/brokenGuide(_:)``.
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
    let point = OperatingPoint(model.calibration)
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

  /// The code by its name in the templates.
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
  /// The platform's part of `README.md`.
  fileprivate var template: [UInt8] {
    switch self {
    case .safetensors: PackageResources.safetensors_mustache
    case .onnx: PackageResources.onnx_mustache
    case .coreml: PackageResources.coreml_mustache
    case .tflite: PackageResources.tflite_mustache
    case .c: PackageResources.c_mustache
    }
  }

  /// The model's own files in the table of `README.md`: name and meaning.
  fileprivate var fileNote: String {
    let inside = "the model, labels and thresholds inside"
    return switch self {
    case .safetensors:
      "`campus.safetensors` | the model file, without hashes and digests of the photos that trained it"
    case .onnx: "`campus.onnx` | \(inside)"
    case .coreml: "`\(CoreMLPackage.folder)` | \(inside)"
    case .tflite: "`\(TFLiteModel.file)` | \(inside)"
    case .c:
      "`\(CSource.headerName)`, `\(CSource.sourceName)` | the model as a program, labels, thresholds and fence inside"
    }
  }
}
