/// How people write a number.
enum NumberText {
  /// Without a point where it is whole.
  static func short(_ number: Double) -> String {
    Int(exactly: number).map { String($0) } ?? String(number)
  }
}
