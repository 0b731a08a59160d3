internal import Cupola

/// What the file of an export says about itself to people who open it.
struct ExportCard: Equatable {
  let name = "Campus recognizer"
  /// What it is, and what photos need.
  let description: String
  let author = "Cupola \(cupolaVersion)"
  let license = "as its maker grants it"
  /// Of the model file: it changes when the model does.
  let version: String

  init(_ notes: ExportNotes) {
    description =
      "Names the building in a photo, or \(Graph.notACampusBuilding). "
      + "Photos must be upright; \(notes.geometry.summary)."
    version = String((notes.texts["model_sha256"] ?? "").prefix(12))
  }
}
