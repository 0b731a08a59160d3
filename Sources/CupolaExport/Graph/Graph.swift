/// A whole pipeline, from the pixels of a square picture to one probability a label, as a list of
/// operations.
///
/// Emitters write it in the formats of device runtimes; ``GraphInterpreter`` computes it here, which
/// is what every export is compared with.
public struct Graph: Equatable, Sendable {
  /// One operation and the value that it makes.
  public struct Node: Equatable, Sendable {
    /// Unique, a letter followed by letters, digits and underscores.
    public let name: String
    /// What is computed.
    public let operation: GraphOperation
    /// Nodes whose values are used, all before this one.
    public let inputs: [Int]
    /// The shape of the value.
    public let shape: [Int]

    /// Describes one node.
    public init(name: String, operation: GraphOperation, inputs: [Int], shape: [Int]) {
      self.name = name
      self.operation = operation
      self.inputs = inputs
      self.shape = shape
    }
  }

  /// In order of computation; the first is the input, the last are the probabilities, 1 x labels.
  public let nodes: [Node]
  /// Names of the probabilities: ``notACampusBuilding``, then the buildings in the model's order.
  public let labels: [String]
  /// Where the channels stand; the input is always 1 x side x side x 3.
  public let layout: GraphLayout

  /// The label of everything that is no building of the campus, first of all labels.
  public static let notACampusBuilding = "not_a_campus_building"

  /// Joins nodes and labels.
  public init(nodes: [Node], labels: [String], layout: GraphLayout) {
    self.nodes = nodes
    self.labels = labels
    self.layout = layout
  }
}
