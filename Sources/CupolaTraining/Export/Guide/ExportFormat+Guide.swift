extension ExportFormat {
  /// The platform's part of `README.md`, in Markdown.
  func guide(_ decision: GuideDecision) -> String {
    switch self {
    case .safetensors: SafetensorsGuide.text(decision)
    case .onnx: ONNXGuide.text(decision)
    }
  }

  /// The model's own files in the table of `README.md`: name and meaning.
  var fileNote: String {
    switch self {
    case .safetensors: "`campus.safetensors` | the model file itself"
    case .onnx: "`campus.onnx` | the model, labels and thresholds inside"
    }
  }
}
