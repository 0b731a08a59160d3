/// When something was built, or is asked to have been: from a year to a year, either of them open.
///
/// Years are of the Gregorian calendar; 480 BC is -479 (ISO 8601).
public struct YearRange: Equatable, Sendable {
  /// The first year, or `nil` for any year up to the last.
  public let first: Int?
  /// The last year, or `nil` for any year from the first.
  public let last: Int?

  /// Fails when the first year is after the last, or when there is neither.
  public init?(first: Int?, last: Int?) {
    if let first, let last, first > last { return nil }
    if first == nil, last == nil { return nil }
    self.first = first
    self.last = last
  }

  /// Whether a year can be in both.
  public func overlaps(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.last ?? .max) && (other.first ?? .min) <= (last ?? .max)
  }

  /// Whether all years of another range are in this one.
  public func contains(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.first ?? .min) && (last ?? .max) >= (other.last ?? .max)
  }
}

extension YearRange: Codable {
  private enum CodingKeys: String, CodingKey { case first, last }

  /// Reads `first` and `last`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when they are no range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let range = YearRange(
      first: try container.decodeIfPresent(Int.self, forKey: .first),
      last: try container.decodeIfPresent(Int.self, forKey: .last))
    guard let range else {
      throw DecodingError.dataCorruptedError(
        forKey: .first, in: container, debugDescription: "no range of years")
    }
    self = range
  }
}
