/// Everything in a folder and below it, each folder once, however many links lead there.
///
/// What links lead to comes last, so that a folder that stands there itself goes by its own name.
package struct FolderWalk {
  /// Something that is no folder to go into.
  package struct Step: Equatable {
    /// Relative to the folder where the walk began.
    package let name: String
    package let kind: Kind

    /// The name without those of the folders.
    package var lastName: Substring {
      name[(name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex)...]
    }
  }

  package enum Kind: Equatable {
    case file
    /// A pipe, socket or device.
    case special
    /// A name that is no UTF-8.
    case notUTF8
    /// A folder that was read already, reached once more.
    case repeated
    /// A folder that cannot be read, or a link that leads nowhere.
    case unreadable(FileError)
  }

  /// What lists a folder.
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

  /// Goes through a folder.
  ///
  /// - Parameters:
  ///   - root: without a slash at its end.
  ///   - entries: of the folder itself, or those of them to look at.
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

  /// In the order of the names, without recursion: folders may be nested as deep as paths are long.
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

  /// What is in a folder; nothing where it was read already or cannot be read, which is a step itself.
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
