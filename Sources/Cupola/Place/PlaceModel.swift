// 1. `PlaceModel` is what training learned about places.
// 2. `Viewpoint` is the place of one training photo.
// 3. `PlaceScene` joins these with the buildings of the map.

/// Where the photos of each building were taken, and how far place and heading are believed.
package struct PlaceModel: Equatable, Codable, Sendable {
  /// What ``PlaceDensity`` counts beside the picture, 0...1.
  package var positionWeight: Double
  /// What ``ViewShare`` counts, 0...1.
  package var headingWeight: Double
  /// Places that training photos were taken from, by label; empty when their EXIF did not say.
  package var viewpoints: [String: [Viewpoint]]

  /// Both weights, where nothing could be learned about them.
  package static let usualWeight = 0.5

  /// At most so many places are kept for a building.
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
  /// Where, to a millionth of a degree; its error is in whole meters and always known.
  let position: Position
  var error: Double { position.placeError }

  /// Latitude and longitude in millionths of a degree, and meters.
  package var numbers: [Int] {
    [
      Int((position.latitude * 1e6).rounded()), Int((position.longitude * 1e6).rounded()),
      Int(error),
    ]
  }

  /// Rounds a position; an unknown error becomes the usual one.
  package init(_ position: Position) {
    let rounded = Position(
      latitude: (position.latitude * 1e6).rounded() / 1e6,
      longitude: (position.longitude * 1e6).rounded() / 1e6,
      horizontalError: position.placeError.rounded())
    // Rounding leaves no range whose ends are whole numbers.
    self.position = rounded ?? position
  }

  /// Fails for what is no place on Earth.
  private init?(_ latitude: Int, _ longitude: Int, _ error: Int) {
    let position = Position(
      latitude: Double(latitude) / 1e6, longitude: Double(longitude) / 1e6,
      horizontalError: Double(error))
    guard let position else { return nil }
    self.position = position
  }
}

extension Position {
  /// ``assumedError`` up to a million meters, whose square is still a number.
  var placeError: Double { min(assumedError, Position.mostPlaceError) }
  static let mostPlaceError = 1e6
}

/// As `[LATITUDE, LONGITUDE, ERROR]`, millionths of degrees and meters: whole numbers, so that files
/// are the same everywhere.
extension Viewpoint: Codable {
  package init(from decoder: any Decoder) throws {
    let numbers = try [Int](from: decoder)
    guard numbers.count == 3, let viewpoint = Viewpoint(numbers[0], numbers[1], numbers[2]) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no viewpoint"))
    }
    self = viewpoint
  }

  package func encode(to encoder: any Encoder) throws {
    try numbers.encode(to: encoder)
  }
}

/// The buildings that a place may speak for: those of the labels, then those of the map that no photo
/// trained.
package struct PlaceScene: Sendable {
  /// All of them as labels, those of the model first and in its order.
  let labels: Labels
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
