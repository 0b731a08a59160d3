/// How many photos of a building there should be.
package enum PhotoAmount {
  /// Fewer are too few to learn and to measure.
  package static let enough = 10
  /// So many buildings with held-out photos tell how photos of all are named, and half of fewer.
  package static let tellingBuildings = 8
}
