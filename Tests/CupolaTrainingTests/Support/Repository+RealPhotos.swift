import CupolaTestSupport
import Testing

extension Repository {
  /// Why tests on real photos are skipped.
  static let noRealPhotos: Comment = "no real photos; name their folder in CUPOLA_DATA"
}
