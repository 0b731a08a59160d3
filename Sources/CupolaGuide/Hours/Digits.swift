/// Numbers as dates and times show them.
enum Digits {
  /// A number, 0 or more, with zeros before it.
  static func padded(_ number: Int, to width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
