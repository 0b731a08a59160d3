/// Distances as people read them.
package enum DistanceText {
  /// Whole meters, from 1 km on kilometers with one digit, such as `85 m` and `1.4 km`; `far` for what is no distance.
  package static func text(meters: Double) -> String {
    guard meters.isFinite, meters.magnitude < 1e9 else { return "far" }
    let whole = meters.rounded()
    return whole < 1000 ? "\(Int(whole)) m" : "\((meters / 100).rounded() / 10) km"
  }
}
