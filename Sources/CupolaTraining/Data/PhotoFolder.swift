internal import Cupola

/// A folder of photos, by whatever path others lead there.
///
/// What lies in it is told by names alone: where links within the folder lead is the business of whoever made them.
struct PhotoFolder {
  private let root: String
  /// How paths begin that lead there: a line of a table is mostly like the one before.
  private var starts: [String]

  private static let slash = UInt8(ascii: "/")

  init(_ root: String) {
    self.root = root
    starts = [root.utf8.last == Self.slash ? root : root + "/"]
  }

  /// Where something is that a table of the folder lists.
  func file(_ name: String) -> String { name.utf8.first == Self.slash ? name : root + "/" + name }

  /// The folders within this one on the way to something that a table lists, and its name; `nil` where it lies
  /// outside.
  mutating func parts(of name: String) -> [Substring]? {
    if name.utf8.first != Self.slash, let parts = Self.parts(name[...]) { return parts }
    let file = file(name)
    for start in starts where file.utf8.starts(with: start.utf8) {
      if let parts = Self.parts(Substring(file.utf8.dropFirst(start.utf8.count))) { return parts }
    }
    guard let own = Directory.Identity(of: root) else { return nil }
    for index in file.utf8.indices where file.utf8[index] == Self.slash {
      let next = file.utf8.index(after: index)
      let start = String(file[..<next])
      guard let parts = Self.parts(file[next...]), Directory.Identity(of: start) == own else {
        continue
      }
      starts.append(start)
      return parts
    }
    return nil
  }

  /// The parts of a path without what leads nowhere or back; `nil` where it leads out of where it begins.
  ///
  /// Of its bytes: to Swift a slash before a combining character is none.
  private static func parts(_ path: Substring) -> [Substring]? {
    var parts: [Substring] = []
    for part in path.utf8.split(separator: slash).map(Substring.init) where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts
  }
}
