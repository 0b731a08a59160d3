/// How deep a JSON text is nested and how many members that are objects its outermost object has, as far as its
/// brackets say: to be asked before a decoder, which needs stack and time for each.
struct JSONNesting {
  private(set) var depth = 0
  private(set) var members = 0

  /// - Parameter most: counting ends two beyond so many levels or members.
  init(_ text: some Sequence<UInt8>, until most: Int) {
    var (level, isText, isEscaped) = (0, false, false)
    for byte in text {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        level += 1
        depth = max(depth, level)
        if level == 2, byte == UInt8(ascii: "{") { members += 1 }
        if depth - 1 > most || members - 1 > most { return }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
      default: break
      }
    }
  }
}
