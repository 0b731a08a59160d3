public import Cupola

/// A file that was left out.
public struct SkippedFile: Equatable, Sendable {
  /// Its name, relative to its folder of photos.
  public let name: String
  /// Why.
  public let reason: Reason

  /// Why a file was left out.
  public enum Reason: Equatable, Sendable {
    /// The photo cannot be used.
    case unusable(CupolaError)
    /// What whoever read the photo said of it.
    case told(String)
    /// A name that other systems could not read.
    case nameNotUTF8
    /// A photo beside the label folders.
    case outsideLabelFolder
    /// A photo in a folder beside those of the parts.
    case besidePartFolders
  }

  /// A file and why it was left out.
  public init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch reason {
    case .unusable(.file(let error)): error.problem + hint(at: error)
    case .unusable(let error): error.message
    case .told(let problem): problem
    case .nameNotUTF8: "its name is not valid UTF-8; rename it"
    case .besidePartFolders: "in a folder beside train, val and test; move it into one of them"
    case .outsideLabelFolder: "a photo outside the label folders; move it into one"
    }
  }

  /// What tables that were written on Windows get wrong.
  private func hint(at error: FileError) -> String {
    guard case .cannotRead = error, name.contains("\\") else { return "" }
    return "; write / between folders, not \\"
  }
}
