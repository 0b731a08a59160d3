extension Array {
  /// At most so many of the elements, evenly spread, with the first and the last.
  func thinned(to most: Int) -> [Element] {
    precondition(most > 1, "\(most) elements")
    guard count > most else { return self }
    return (0..<most).map { self[$0 * (count - 1) / (most - 1)] }
  }

  /// As many as that, evenly spread from the first on; all of them when they are no more.
  func sampled(to most: Int) -> [Element] {
    let kept = Swift.min(count, most)
    return (0..<kept).map { self[$0 * count / kept] }
  }
}
