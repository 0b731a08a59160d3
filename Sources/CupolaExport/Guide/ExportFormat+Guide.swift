extension ExportFormat {
  /// The platform's part of `README.md`, in Markdown.
  func guide(_ decision: GuideDecision) -> String {
    switch self {
    case .safetensors: SafetensorsGuide.text(decision)
    case .onnx: ONNXGuide.text(decision)
    case .coreml: CoreMLGuide.text(name: "Campus", geometry: decision.geometry)
    case .tflite: TFLiteGuide.text(file: TFLiteModel.file, geometry: decision.geometry)
    case .c: CGuide.text
    }
  }

  /// The model's own files in the table of `README.md`: name and meaning.
  var fileNote: String {
    switch self {
    case .safetensors: "`campus.safetensors` | the model file itself"
    case .onnx: "`campus.onnx` | the model, labels and thresholds inside"
    case .coreml: "`\(CoreMLPackage.folder)` | the model, labels and thresholds inside"
    case .tflite: "`\(TFLiteModel.file)` | the model, labels and thresholds inside"
    case .c:
      "`\(CSource.headerName)`, `\(CSource.sourceName)` | the model as a program, labels, thresholds and fence inside"
    }
  }
}
