// 1. `PlaceModel` holds the weights and camera positions from training.
// 2. `Viewpoint` is a training photo's camera position.
// 3. `PlaceScene` combines viewpoints with the buildings on the map.

package struct PlaceModel: Equatable, Codable, Sendable {
  /// The weight of ``PlaceDensity`` relative to the image, 0 to 1.
  package var positionWeight: Double
  /// The weight of ``ViewShare`` relative to the image, 0 to 1.
  package var headingWeight: Double
  /// The training photos' camera positions, by label; empty without EXIF positions.
  package var viewpoints: [String: [Viewpoint]]

  package static let usualWeight = 0.5

  package static let mostViewpoints = 200

  package init(
    positionWeight: Double = usualWeight, headingWeight: Double = usualWeight,
    viewpoints: [String: [Viewpoint]] = [:]
  ) {
    self.positionWeight = positionWeight
    self.headingWeight = headingWeight
    self.viewpoints = viewpoints
  }

  var isSound: Bool {
    [positionWeight, headingWeight].allSatisfy { (0...1).contains($0) }
  }

  private enum CodingKeys: String, CodingKey {
    case viewpoints
    case positionWeight = "position_weight"
    case headingWeight = "heading_weight"
  }
}

package struct Viewpoint: Equatable, Sendable {
  /// The position in millionths of a degree, with an accuracy in whole meters.
  let position: Position
  var error: Double { position.placeError }

  /// Latitude and longitude in millionths of a degree, and the accuracy in meters.
  package var numbers: [Int] {
    [
      Int((position.latitude * 1e6).rounded()), Int((position.longitude * 1e6).rounded()),
      Int(error),
    ]
  }

  /// Rounds a position. An unknown accuracy is replaced by the default.
  package init(_ position: Position) {
    let rounded = Position(
      latitude: (position.latitude * 1e6).rounded() / 1e6,
      longitude: (position.longitude * 1e6).rounded() / 1e6,
      horizontalError: position.placeError.rounded())
    // Rounding cannot leave the valid range, because its limits are whole numbers.
    self.position = rounded ?? position
  }

  private init?(_ latitude: Int, _ longitude: Int, _ error: Int) {
    let position = Position(
      latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6,
      horizontalError: Double(error))
    guard let position else { return nil }
    self.position = position
  }
}

extension Position {
  /// ``assumedError`` limited to 1,000,000 meters, so that its square is finite.
  var placeError: Double { min(assumedError, Position.mostPlaceError) }
  static let mostPlaceError = 1e6
}

/// Encoded as `[LATITUDE, LONGITUDE, ERROR]` in millionths of a degree and meters. Integers make files equal on all
/// platforms.
extension Viewpoint: Codable {
  package init(from decoder: any Decoder) throws {
    let numbers = try [Int](from: decoder)
    guard numbers.count == 3, let viewpoint = Viewpoint(numbers[0], numbers[1], numbers[2]) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "invalid viewpoint")
      )
    }
    self = viewpoint
  }

  package func encode(to encoder: any Encoder) throws {
    try numbers.encode(to: encoder)
  }
}

/// The buildings that a photo can show: trained buildings, followed by untrained buildings on the map.
package struct PlaceScene: Sendable {
  /// The labels of all buildings, starting with the model's labels in their order.
  let labels: Labels
  let trainedCount: Int
  /// Each label's density; `nil` for background classes.
  let densities: [PlaceDensity?]
  /// Each label's outline; `nil` without a map location.
  let outlines: [BuildingOutline?]
  /// Whether distant trained buildings are excluded, like distant untrained buildings.
  let limitsTrained: Bool

  /// The maximum distance in meters at which a photo can show a building.
  static let reach = 400.0

  /// - Parameters:
  ///   - viewpoints: Camera positions of training photos, by label.
  ///   - untrained: Whether to include buildings that are on the map but have no training photos.
  ///   - limitsTrained: Whether to exclude distant trained buildings.
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

  var untrained: Range<Int> { trainedCount..<densities.count }

  /// Whether a building is close enough to be visible in a photo.
  /// If `limitsTrained` is `false`, always true for trained buildings. Otherwise, a trained building is also near if
  /// its location is unknown or if one of its training photos was taken nearby.
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

  /// Whether a building is clearly outside the field of view. Always `false` for trained buildings, which the image can
  /// show in spite of a wrong heading, and if the heading is unknown.
  func isOutOfView(
    _ number: Int, from position: Position, toward heading: Heading?, view: FieldOfView
  ) -> Bool {
    guard let heading, untrained.contains(number) else { return false }
    return outlines[number]?.isOutside(
      view.degrees / 2 + ViewShare.viewMargin, position, error: position.placeError,
      toward: heading.degrees) ?? false
  }

  /// Returns one flag per building, `true` if a photo can show it. If no trained building is near, includes all of
  /// them.
  func near(_ position: Position) -> [Bool] {
    let near = labels.names.indices.map { isNear($0, position) }
    guard !near[..<trainedCount].contains(true) else { return near }
    return near.indices.map { $0 < trainedCount || near[$0] }
  }

  func labelsInReach(of position: Position) -> [Bool]? {
    guard limitsTrained else { return nil }
    let own = near(position).prefix(trainedCount)
    return own.contains(false) ? Array(own) : nil
  }

  /// Returns the outlines around a position; `nil` for excluded buildings and for buildings without an outline.
  func outlines(where near: [Bool]) -> [BuildingOutline?] {
    limitsTrained ? zip(outlines, near).map { $1 ? $0 : nil } : outlines
  }
}
