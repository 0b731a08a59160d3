import Cupola

/// The line that tells how far the work is, as a terminal draws it again and again: it never reaches the last column, beyond
/// which a terminal would begin another line each time.
struct ProgressBar {
  let title: String
  let total: Int
  /// Of the terminal.
  let columns: Int

  private static let usualWidth = 30
  /// A shorter bar says no more than the numbers behind it.
  private static let leastWidth = 6

  /// The line when `done` of the total are done.
  ///
  /// - Parameter left: what is said of the time, empty or beginning with a comma.
  func line(_ done: Int, _ left: String) -> String {
    let numbers = " \(done)/\(total)\(left)"
    // Of brackets, the blank before them, and the last column.
    let room = columns - WrappedText.width(title + numbers) - 4
    let width = min(Self.usualWidth, room)
    guard width >= Self.leastWidth else {
      return WrappedText.beginning(of: title + numbers, columns: columns - 1)
    }
    let filled = width * done / max(1, total)
    let blocks =
      String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\(title) [\(blocks)]\(numbers)"
  }
}
