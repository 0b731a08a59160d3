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

  /// Meters from which a building that did not train may be what a photo shows.
  static let reach = 400.0

  /// - Parameters:
  ///   - viewpoints: where photos were taken from, by label.
  ///   - untrained: whether buildings that are no label count.
  package init(
    _ labels: Labels, campus: Campus?, viewpoints: [String: [Viewpoint]], untrained: Bool = true
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
  }

  /// The numbers of the buildings that no photo trained.
  var untrained: Range<Int> { trainedCount..<densities.count }

  /// Whether a building is near enough to be what a photo shows; those that trained always are.
  func isNear(_ number: Int, _ position: Position) -> Bool {
    guard number >= trainedCount else { return true }
    guard let outline = outlines[number] else { return false }
    return outline.distance(from: position) <= Self.reach + position.placeError
  }
}
