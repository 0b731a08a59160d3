/// Why a graph cannot be written as a TFLite file, or what is wrong with one.
package enum TFLiteFault: Error, Equatable, Sendable {
  /// A label that is no single line.
  case badLabel(String)
  /// It is no TFLite file at all.
  case notTFLite
  /// Something is said to stand outside of the file.
  case outside(at: Int)
  /// The model's tables.
  case badModel(String)
  /// One operator, counted from 0.
  case badOperator(Int, String)
  /// What MediaPipe Tasks read to know what the model takes and gives.
  case badMetadata(String)
  /// The labels and other files that stand behind the model.
  case badFiles(String)
  /// The bytes are not those that were exported.
  case changed

  /// One line for people: what is wrong and what to do.
  package var message: String {
    switch self {
    case .badLabel(let label):
      "TFLite has labels in lines of text, and \(label.debugDescription) is no line; "
        + "rename its folder"
    case .notTFLite: "no TFLite file; export again"
    case .outside(let place):
      "cut or damaged: what should stand at byte \(place) lies outside of it; export again"
    case .badModel(let what): "\(what); export again"
    case .badOperator(let index, let what): "operator \(index): \(what); export again"
    case .badMetadata(let what): "metadata: \(what); export again"
    case .badFiles(let what): "the files behind the model: \(what); export again"
    case .changed: "the model was changed after the export; export again"
    }
  }
}
