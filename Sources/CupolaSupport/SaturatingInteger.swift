extension Int {
  /// The whole number next to zero from a value; the nearest there is where the value is beyond all of them, and 0
  /// for what is no number.
  package init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    // Double(Int.max) is one more than Int.max.
    self = value >= Double(Int.max) ? .max : value <= Double(Int.min) ? .min : Int(value)
  }
}
