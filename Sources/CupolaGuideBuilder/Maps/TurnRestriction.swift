/// A turn that vehicles must not make, or the only one that they may (OpenStreetMap's `type=restriction`).
struct TurnRestriction: Equatable, Sendable {
  let id: String
  /// Whether the turn is the only one that is allowed.
  let isOnly: Bool
  /// The feature that vehicles come from.
  let from: String
  /// The point where they turn; `nil` when `via` is a way.
  let viaPoint: Int?
  /// The ways between, for a turn over more than a point.
  let viaWays: [String]
  /// The feature that they turn into.
  let to: String
  /// Whether it keeps vehicles from turning round on one way, which goes straight on where it is not cut at the point.
  let isTurningRound: Bool

  init(
    id: String, isOnly: Bool, from: String, viaPoint: Int?, viaWays: [String] = [], to: String,
    isTurningRound: Bool = false
  ) {
    (self.id, self.isOnly, self.from, self.viaPoint) = (id, isOnly, from, viaPoint)
    (self.viaWays, self.to, self.isTurningRound) = (viaWays, to, isTurningRound)
  }
}
