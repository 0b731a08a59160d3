/// Which rows among examples are views of which photo: those of a photo stand one after the other.
struct PhotoViews: Equatable, Sendable {
  /// Where each photo's rows begin, and behind the last one the number of all rows.
  private let starts: [Int]
  /// The view of each photo by which it is judged when held out.
  let testView: Int

  /// - Parameter counts: the number of views of each photo, more than `testView`.
  init(counts: [Int], testView: Int) {
    precondition(counts.allSatisfy { $0 > testView }, "a photo without its test view")
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

  /// The row by which a photo is judged when held out.
  func testRow(of photo: Int) -> Int { starts[photo] + testView }

  /// Those of some photos, in the order given, as if there were no others.
  func selecting(_ photos: [Int]) -> PhotoViews {
    PhotoViews(counts: photos.map { rows(of: $0).count }, testView: testView)
  }
}
