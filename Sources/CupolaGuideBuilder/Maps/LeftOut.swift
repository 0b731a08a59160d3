/// What of a map is left out for one reason, to be told once.
struct LeftOut: Equatable, Sendable {
  private(set) var count = 0
  /// How to name the first of them to people.
  private(set) var first = ""

  init() {}

  init(count: Int, first: String) { (self.count, self.first) = (count, first) }

  mutating func add(_ title: String) {
    if count == 0 { first = title }
    count += 1
  }

  /// What to say of them, if there are any.
  ///
  /// - Parameters:
  ///   - what: what the first is, such as `a turn restriction that is left out`.
  ///   - reason: why, and what to do.
  func fault(_ what: String, because reason: String) -> MapFault? {
    guard count > 0 else { return nil }
    let others = count == 1 ? "" : ", as are \(count - 1) more"
    return MapFault(first, "\(what)\(others), because \(reason)")
  }
}
