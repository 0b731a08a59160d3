/// Lists all items below a folder and visits each folder once, even if several links lead to it.
///
/// Links are followed last, so that a folder that is also reachable without a link is listed under its own path.
package struct FolderWalk {
  /// An item that is not a folder, or a folder that cannot be entered.
  package struct Step: Equatable {
    package let name: String
    package let kind: Kind

    package var lastName: Substring { FileAccess.name(of: name) }
  }

  package enum Kind: Equatable {
    case file
    case special
    case notUTF8
    case repeated
    /// A folder that cannot be read, or a broken link.
    case unreadable(FileError)
  }

  package typealias Lister = (String) throws(FileError) -> [Directory.Entry]

  private let root: String
  private let list: Lister
  private var steps: [Step] = []
  private var seen: Set<Directory.Identity> = []
  private var links: [String] = []

  private init(_ root: String, _ list: @escaping Lister) {
    (self.root, self.list) = (root, list)
    if let own = Directory.Identity(of: root) { seen.insert(own) }
  }

  /// Walks a folder, starting with these entries. The folder's path has no trailing slash.
  package static func steps(
    in root: String, entries: [Directory.Entry], listing list: @escaping Lister = Directory.entries
  ) -> [Step] {
    var walk = FolderWalk(root, list)
    walk.follow(entries, below: "")
    var next = 0
    while next < walk.links.count {
      walk.follow(walk.inner(walk.links[next]), below: walk.links[next] + "/")
      next += 1
    }
    return walk.steps
  }

  /// Visits entries in name order. Uses no recursion, because folders can be nested very deeply.
  private mutating func follow(_ entries: [Directory.Entry], below folder: String) {
    var waiting = entries.reversed().map { (folder + $0.name, $0) }
    while let (name, entry) = waiting.popLast() {
      guard entry.isUTF8 else {
        steps.append(Step(name: name, kind: .notUTF8))
        continue
      }
      switch entry.kind {
      case .file: steps.append(Step(name: name, kind: .file))
      case .special: steps.append(Step(name: name, kind: .special))
      case .unreachable(let code):
        steps.append(
          Step(name: name, kind: .unreadable(.cannotRead(path: path(name), code: code))))
      case .folder where entry.isLink: links.append(name)
      case .folder: waiting += inner(name).reversed().map { (name + "/" + $0.name, $0) }
      }
    }
  }

  /// Lists a folder. If it cannot be entered, records the reason and returns no entries.
  private mutating func inner(_ name: String) -> [Directory.Entry] {
    if let own = Directory.Identity(of: path(name)), !seen.insert(own).inserted {
      steps.append(Step(name: name, kind: .repeated))
      return []
    }
    do throws(FileError) { return try list(path(name)) } catch {
      steps.append(Step(name: name, kind: .unreadable(error)))
      return []
    }
  }

  private func path(_ name: String) -> String { root == "/" ? root + name : root + "/" + name }
}
