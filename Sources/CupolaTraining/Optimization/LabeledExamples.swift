internal import Cupola

/// Examples and what they are of: all that a classifier is fitted to.
struct LabeledExamples: Sendable {
  let source: any ExampleSource
  let views: PhotoViews
  /// One a photo.
  let labels: [Int]
  let names: Labels

  /// Fits to views of some photos, one a setting.
  ///
  /// - Parameter most: how many views of each photo, the first ones; `nil` is all.
  func fits(
    _ settings: [ClassifierSettings], to photos: [Int], firstViews most: Int? = nil
  ) -> [SoftmaxRegression.Fit] {
    let rows = photos.map { views.rows(of: $0, first: most) }
    return ClassifierSettings.fits(
      settings, source.selecting(rows: rows.flatMap(\.self)),
      labels: zip(photos, rows).flatMap { [Int](repeating: labels[$0], count: $1.count) },
      names: names)
  }

  /// The views by which photos are judged, a row each.
  func tests(of photos: [Int]) -> Matrix {
    source.selecting(rows: photos.map(views.testRow))
  }
}
