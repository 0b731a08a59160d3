internal import Cupola

/// How photos are looked for.
struct PhotoListing {
  /// Whether a table may list photos outside of the folder.
  var allowOutside = false
  /// Whether `split.csv` in the folder rules over its layout.
  var readsTable = true
  /// What lists a folder; tests have one that cannot read some.
  var list: FolderWalk.Lister = Directory.entries

  /// Everything in the folder of photos itself.
  func entries(of root: String) throws(TrainingError) -> [Directory.Entry] {
    try TrainingError.files { () throws(FileError) in try list(root) }
  }

  /// Everything below some of its entries.
  func steps(in root: String, _ entries: [Directory.Entry]) -> [FolderWalk.Step] {
    FolderWalk.steps(in: root, entries: entries, listing: list)
  }
}
