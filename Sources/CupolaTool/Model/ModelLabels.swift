import Cupola
import CupolaTraining

/// The labels of a model, for those who type them.
enum ModelLabels {
  /// Those of the model that is named on the command line.
  @Sendable static func completions(_ words: [String], _: Int, _ prefix: String) -> [String] {
    let model = words.lazy.compactMap { try? Model(contentsOf: $0) }.first
    return (model?.labels.names ?? []).filter { $0.hasPrefix(prefix) }
  }

  /// The label that was perhaps meant by one that the model lacks.
  static func meant(by label: String, of model: Model) -> String? {
    guard !model.labels.names.contains(label) else { return nil }
    return MisspelledLabel.all(of: [label], known: model.labels.names).first?.meant
  }
}
