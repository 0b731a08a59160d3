/// Where a route can begin or end: places of the graph, each with what it takes to get from the asked place to it.
package struct PathEnd: Equatable, Sendable {
  /// A place of the graph.
  package enum Anchor: Equatable, Sendable {
    case vertex(Int)
    /// A part of an edge behind its `from`, 0...1.
    case edge(Int, fraction: Double)
  }

  /// One way to begin or end.
  package struct Choice: Equatable, Sendable {
    package var anchor: Anchor
    /// Meters in a straight line between the asked place and the anchor.
    package var offset: Double
    /// Meters that count against it besides, so that it is taken only where other choices lead much farther or nowhere.
    var penalty = 0.0
    /// Whether people on foot get nearer by ways that the mode has not, such as steps up to a door, or through a door that
    /// is for them alone.
    var stopsShort = false

    package init(_ anchor: Anchor, offset: Double = 0) {
      (self.anchor, self.offset) = (anchor, offset)
    }

    /// Meters that are told of what is not gone: a step at the door counts as one.
    var metersShort: Double { stopsShort ? max(offset, 1) : offset }
  }

  package var choices: [Choice]

  package init(_ choices: [Choice]) { self.choices = choices }
}
