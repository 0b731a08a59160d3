/// How high edges lead, by what maps say of steps, inclines and floors.
extension PathGraph {
  /// Meters that one step is high: 17 cm is usual (DIN 18065).
  private static let riser = 0.17
  /// Meters up for each meter along steps that nobody counted: 17 cm for 29 cm of tread.
  private static let slopeOfSteps = 0.17 / 0.29

  /// Meters from the `from` of an edge up to its `to`, less than 0 down; 0 where the map does not say.
  func rise(of edge: Int) -> Double {
    let way = ways[edges[edge].way]
    if let from = vertices[edges[edge].from].level, let to = vertices[edges[edge].to].level,
      from != to
    {
      return (to - from) * RouteTrack.floorHeight
    }
    // Stairs between floors are climbed where the floor changes.
    let incline = Double(way.incline)
    guard !way.isIndoor, incline.magnitude <= 1 else { return 0 }
    guard way.kind == .steps else { return incline * lengths[edge] }
    guard incline != 0 else { return 0 }
    // Mappers write the slope of a ramp, but of steps hardly ever more than which way they lead.
    let slope = incline.magnitude > 0.1 ? incline.magnitude : Self.slopeOfSteps
    let meters =
      way.stepCount > 0
      ? Double(way.stepCount) * Self.riser * lengths[edge]
        / max(lengths[edge], metersOfSteps[edges[edge].way] ?? 0, 1e-9)
      : lengths[edge] * slope
    return incline > 0 ? meters : -meters
  }
}
