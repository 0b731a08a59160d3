#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a place does not fit what the picture says, so that neither is to be named.
struct Contradiction {
  /// The building that the picture is sure of, or else the one that would be named.
  let said: Int
  /// The most probable other, one before the camera if there is any.
  let other: Int?

  /// The picture must give a building this share of all buildings to be sure of it.
  static let sureShare = 0.6
  /// A place contradicts when it makes the building that much less probable than the best placed.
  static let muchLess = -log(20.0)

  /// `nil` where the place fits.
  ///
  /// - Parameters:
  ///   - sure: the building that the picture is sure of, if any.
  ///   - shifts: what the place adds to the logarithms of the probabilities.
  ///   - behind: the buildings behind the camera; such a one is not named where another is before it.
  ///   - ranked: the candidates, the most probable first.
  ///   - trained: how many trained; those after them are answered by place only.
  init?(sure: Int?, shifts: [Double], behind: Set<Int>, ranked: [Int], trained: Int) {
    guard let said = sure ?? ranked.first, said < trained else { return nil }
    let others = ranked.filter { $0 != said }
    let ahead = others.first { !behind.contains($0) }
    let isFar = sure != nil && shifts[said] <= Self.muchLess
    guard isFar || (ahead != nil && behind.contains(said)) else { return nil }
    self.said = said
    other = ahead ?? others.first
  }
}
