internal import Cupola

extension PhotoSet {
  /// The photos that do not lie in a folder, behind all links.
  package func without(photosIn folder: String) -> PhotoSet {
    guard let folder = FileAccess.resolved(folder) else { return self }
    let slash = UInt8(ascii: "/")
    let start = folder.last == slash ? folder : folder + [slash]
    var set = self
    set.photos.removeAll { FileAccess.resolved($0.path)?.starts(with: start) ?? false }
    return set
  }
}
