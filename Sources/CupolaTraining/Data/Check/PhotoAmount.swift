/// How many photos of a building there should be.
package enum PhotoAmount {
  /// Fewer are too few to learn and to measure.
  package static let enough = 10
}
