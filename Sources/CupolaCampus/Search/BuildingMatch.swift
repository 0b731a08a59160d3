/// A building that a search found.
public struct BuildingMatch: Equatable, Codable, Sendable {
  /// Its record.
  public let building: Building
  /// How far it is from what was asked for; 0 when every word stands in its name.
  public let points: Int
  /// What its `yearBuilt` means, where it is a date.
  public let yearsBuilt: YearRange?

  private enum CodingKeys: String, CodingKey {
    case building, points
    case yearsBuilt = "years_built"
  }
}
