import Cupola

/// `README.md` of an export.
struct ExportGuide {
  private let model: Model
  private let format: ExportFormat
  private let notes: ExportNotes

  init(_ model: Model, _ format: ExportFormat, _ notes: ExportNotes) {
    (self.model, self.format, self.notes) = (model, format, notes)
  }

  var file: ExportFile { ExportFile(path: "README.md", bytes: []) }
}
