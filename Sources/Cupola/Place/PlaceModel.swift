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

  /// A model from its parts.
  package init(
    positionWeight: Double = usualWeight, headingWeight: Double = usualWeight,
    viewpoints: [String: [Viewpoint]] = [:]
  ) {
    self.positionWeight = positionWeight
    self.headingWeight = headingWeight
    self.viewpoints = viewpoints
  }

  /// Whether the weights are what they may be.
  var isSound: Bool {
    [positionWeight, headingWeight].allSatisfy { (0...1).contains($0) }
  }

  private enum CodingKeys: String, CodingKey {
    case viewpoints
    case positionWeight = "position_weight"
    case headingWeight = "heading_weight"
  }
}
