extension String {
  /// Whether its bytes come before those of another: also names that Swift takes to be equal, é as one
  /// character and as two, have an order.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
