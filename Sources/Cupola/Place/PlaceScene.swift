/// The buildings that a place may speak for: those of the labels, then those of the map that no photo
/// trained.
package struct PlaceScene: Sendable {
  /// All of them as labels, those of the model first and in its order.
  let labels: Labels
  /// How many of them the model knows.
  let trainedCount: Int
  /// One each; `nil` for backgrounds.
  let densities: [PlaceDensity?]
  /// One each; `nil` where the map does not know the place.
  let outlines: [BuildingOutline?]
  /// Whether those that trained are out of the question, too, where they are out of reach.
  let limitsTrained: Bool

  /// Meters from which a building may be what a photo shows, where that is limited.
  static let reach = 400.0

  /// - Parameters:
  ///   - viewpoints: where photos were taken from, by label.
  ///   - untrained: whether buildings that are no label count.
  ///   - limitsTrained: whether buildings that trained are out of the question where they are out of reach.
  package init(
    _ labels: Labels, campus: Campus?, viewpoints: [String: [Viewpoint]], untrained: Bool = true,
    limitsTrained: Bool = false
  ) {
    let trained = PlaceDensity.all(of: labels, campus: campus, viewpoints: viewpoints)
    let known = Set(labels.names)
    let others = (untrained ? campus?.buildings ?? [] : []).filter { building in
      building.position != nil && !known.contains(building.label)
        && !Labels.isBackground(building.label)
    }
    self.labels = others.isEmpty ? labels : Labels(labels.names + others.map(\.label))
    trainedCount = labels.names.count
    densities = trained + others.map { PlaceDensity(viewpoints: [], building: $0) }
    outlines = densities.map { $0?.building.flatMap(BuildingOutline.init) }
    self.limitsTrained = limitsTrained
  }

  /// The numbers of the buildings that no photo trained.
  var untrained: Range<Int> { trainedCount..<densities.count }

  /// Whether a building is near enough to be what a photo shows; those that trained always are, unless they are
  /// limited, too: then those are whose place nobody knows, and those that trained with a photo taken nearby.
  func isNear(_ number: Int, _ position: Position) -> Bool {
    let reach = Self.reach + position.placeError
    let isNearMap = outlines[number].map { $0.distance(from: position) <= reach }
    guard number < trainedCount else { return isNearMap ?? false }
    guard limitsTrained, isNearMap != true else { return true }
    let viewpoints = densities[number]?.viewpoints ?? []
    return isNearMap == nil && viewpoints.isEmpty
      || viewpoints.contains { viewpoint in
        let (east, north) = LocalPlane.meters(from: position, to: viewpoint.position)
        return (east * east + north * north).squareRoot() <= reach + viewpoint.error
      }
  }

  /// Which of all can be what a photo shows: all that trained where none of them is near.
  func near(_ position: Position) -> [Bool] {
    let near = labels.names.indices.map { isNear($0, position) }
    guard !near[..<trainedCount].contains(true) else { return near }
    return near.indices.map { $0 < trainedCount || near[$0] }
  }

  /// Which labels of the model can be; `nil` when all can.
  func labelsInReach(of position: Position) -> [Bool]? {
    guard limitsTrained else { return nil }
    let own = near(position).prefix(trainedCount)
    return own.contains(false) ? Array(own) : nil
  }

  /// What stands around a position, one each; `nil` where nothing is known, or it is out of the question.
  func outlines(where near: [Bool]) -> [BuildingOutline?] {
    limitsTrained ? zip(outlines, near).map { $1 ? $0 : nil } : outlines
  }
}
