/// Which rows among examples are views of which photo: those of a photo stand one after the other.
struct PhotoViews: Equatable, Sendable {
  /// Where each photo's rows begin, and behind the last one the number of all rows.
  private let starts: [Int]
  /// The view of each photo by which it is judged when held out.
  let testView: Int
  /// Which of a photo's views show every geometry once, see ``TrainingViews/once``; ascending.
  private let once: [Int]

  /// - Parameters:
  ///   - counts: the number of views of each photo, more than `testView`.
  ///   - once: which of all of them show every geometry once; photos that have fewer have each once. `nil` is the
  ///     test view.
  init(counts: [Int], testView: Int, once: [Int]? = nil) {
    precondition(counts.allSatisfy { $0 > testView }, "a photo without its test view")
    self.once = once ?? [testView]
    var starts = [0]
    for count in counts { starts.append(starts[starts.count - 1] + count) }
    self.starts = starts
    self.testView = testView
  }

  /// The rows of a photo.
  func rows(of photo: Int) -> Range<Int> { starts[photo]..<starts[photo + 1] }

  /// The first rows of a photo.
  func rows(of photo: Int, first most: Int?) -> Range<Int> {
    let all = rows(of: photo)
    return all.prefix(most ?? all.count)
  }

  /// How many rows ``rowsOnce(of:)`` gives.
  var viewsOnce: Int { once.count }

  /// The rows of a photo that show every geometry once.
  func rowsOnce(of photo: Int) -> [Int] {
    let all = rows(of: photo)
    if let last = once.last, last < all.count { return once.map { all.lowerBound + $0 } }
    precondition(all.count >= once.count, "\(all.count) views, \(once.count) needed")
    return Array(all.prefix(once.count))
  }

  /// The row by which a photo is judged when held out.
  func testRow(of photo: Int) -> Int { starts[photo] + testView }

  /// Those of some photos, in the order given, as if there were no others.
  func selecting(_ photos: [Int]) -> PhotoViews {
    PhotoViews(counts: photos.map { rows(of: $0).count }, testView: testView, once: once)
  }
}
