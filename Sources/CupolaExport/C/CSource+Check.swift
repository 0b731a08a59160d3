public import Cupola

extension CSource {
  /// Checks that the source is the export of a model, number by number.
  ///
  /// - Throws: ``CSourceFault/otherModel(_:)``, naming the first part that differs.
  public func check(against model: Model) throws(CSourceFault) {
    let expected: CSource
    do {
      expected = try CSource(model: model, weights: weights)
    } catch { throw .otherModel(error.message) }
    try Self.check(labels, expected.labels, "label")
    try Self.check(names, expected.names, "name")
    let parts: [(String, Bool)] = [
      ("its recipe differs", recipe == expected.recipe),
      ("its rows stand for other labels", labelOfRow == expected.labelOfRow),
      ("its temperature or thresholds differ", decision == expected.decision),
      ("its fence differs", fence == expected.fence),
      ("its tables differ", tensors == expected.tensors),
    ]
    for (problem, isEqual) in parts where !isEqual { throw .otherModel(problem) }
  }

  private static func check(
    _ found: [String], _ expected: [String], _ kind: String
  ) throws(CSourceFault) {
    guard found.count == expected.count else {
      throw .otherModel("it has \(found.count) \(kind)s, the model has \(expected.count)")
    }
    for (index, (text, right)) in zip(found, expected).enumerated() where text != right {
      throw .otherModel("\(kind) \(index) is \"\(text)\", the model has \"\(right)\"")
    }
  }
}
