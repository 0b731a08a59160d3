/// Which of so many parts of a listing.
public struct ShardPart: Equatable, Sendable {
  /// From 1 on.
  public let number: Int
  /// How many parts there are.
  public let of: Int

  /// Fails unless 1 <= `number` <= `of`.
  public init?(_ number: Int, of: Int) {
    guard number >= 1, number <= of else { return nil }
    (self.number, self.of) = (number, of)
  }

  /// How many of so many photos it has.
  public func count(of photos: Int) -> Int { photos / of + (photos % of >= number ? 1 : 0) }
}
