internal import Cupola

extension PhotoSet {
  /// The photos, and what is left out, that do not lie in a folder, behind all links.
  package func without(photosIn folder: String) -> PhotoSet {
    guard let folder = FileAccess.resolved(folder) else { return self }
    let slash = UInt8(ascii: "/")
    let start = folder.last == slash ? folder : folder + [slash]
    var set = self
    set.photos.removeAll { FileAccess.resolved($0.path)?.starts(with: start) ?? false }
    // Whoever lists that folder tells what is wrong there.
    set.skipped.removeAll { file in
      let path = root == "/" ? root + file.name : root + "/" + file.name
      // A link to nowhere, or a name that is no UTF-8, lies where its folder is.
      let place =
        FileAccess.resolved(path)
        ?? FileAccess.resolved(FileAccess.folder(of: path)).map { $0 + [slash] }
      return place?.starts(with: start) ?? false
    }
    return set
  }

  /// The photos with the parts, groups and columns that another set has for the same files, behind all links; those that
  /// have a part already keep it. Where some have one, the others train.
  package func divided(as other: PhotoSet) -> PhotoSet {
    var rows: [[UInt8]: LabeledPhoto] = [:]
    for photo in other.photos where photo.split != nil {
      if let file = FileAccess.resolved(photo.path) { rows[file] = photo }
    }
    var set = self
    for index in photos.indices where photos[index].split == nil {
      guard let row = FileAccess.resolved(photos[index].path).flatMap({ rows[$0] }) else {
        continue
      }
      set.photos[index].split = row.split
      set.photos[index].group = row.group
      set.photos[index].attributes = row.attributes
    }
    // What has no part is of all parts: it would train, and be measured with, too.
    if set.isDivided {
      for index in photos.indices where set.photos[index].split == nil {
        set.photos[index].split = .train
      }
    }
    return set
  }
}
