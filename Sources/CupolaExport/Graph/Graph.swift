/// A whole pipeline, from the pixels of a square picture to one probability a label, as a list of
/// operations.
///
/// Emitters write it in the formats of device runtimes; the tests compute it, operation by operation, and
/// compare with the recognizer.
struct Graph: Equatable, Sendable {
  /// One operation and the value that it makes.
  struct Node: Equatable, Sendable {
    /// Unique, a letter followed by letters, digits and underscores.
    let name: String
    /// What is computed.
    let operation: GraphOperation
    /// Nodes whose values are used, all before this one.
    let inputs: [Int]
    /// The shape of the value.
    let shape: [Int]
  }

  /// In order of computation; the first is the input, the last are the probabilities, 1 x labels.
  let nodes: [Node]
  /// Names of the probabilities: ``notACampusBuilding``, then the buildings in the model's order, then
  /// ``unknownBuilding`` where the model has it.
  let labels: [String]
  /// Where the channels stand; the input is always 1 x side x side x 3.
  let layout: GraphLayout

  /// The label of everything that is no building of the campus, first of all labels.
  static let notACampusBuilding = "not_a_campus_building"
  /// The label of what looks like a building, but like none that trained: ``Labels/unfamiliar``.
  static let unknownBuilding = "unknown_building"
}
