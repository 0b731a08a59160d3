public import Cupola

/// What can be wrong with the material for training or evaluation.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum TrainingError: Error, Equatable, Sendable {
  /// A table such as `split.csv` cannot be used; `line` counts from 1.
  case badTable(path: String, line: Int, problem: String)
  /// No photos in a folder or list.
  case noPhotos(path: String)
  /// No folder of photos in a folder that should hold one for each building.
  case noLabelFolders(path: String)
  /// Photos were found, but none of them could be used.
  case noUsablePhotos(path: String, failures: Int)
  /// All photos have the same label.
  case oneLabel(String)
  /// Every label is a background.
  case noBuildings
  /// No photo is for the part asked for.
  case emptyPart(String)
  /// A file that is no report of an evaluation with its predictions.
  case badReport(path: String)
  /// Photos to measure a model with that trained it, or are copies of such photos.
  case leaks(path: String, photos: Int, asked: Int, example: String)
  /// A model cannot be exported.
  case cannotExport(ExportFault)

  /// Why a model cannot be exported.
  public enum ExportFault: Equatable, Sendable {
    /// A building has the name that exports give to everything that is no building.
    case reservedLabel(String)
    /// `hog` features with ``HOG/Voting/nearest``: comparing two of its numbers that differ in their
    /// last bits moves a whole vote.
    case nearestVoting
    /// No block of `hog` fits the recipe's picture.
    case pictureTooSmall
    /// A label, or a building's name, that no C string is made of.
    case textForC(String)
    /// Weights in a format that the export has not.
    case weights(WeightFormat, [WeightFormat])
    /// What stands at the path is no export, and is not replaced.
    case inTheWay(path: String)
  }
}

extension TrainingError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .badTable(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .noPhotos(let path): "\(path): no photos there"
    case .noLabelFolders(let path):
      "\(path): no photos; it needs a folder for each building with its photos in it"
    case .noUsablePhotos(let path, let failures):
      "\(path): none of its \(failures) photos can be used"
    case .oneLabel(let label):
      "only one label, \(label); add another building's folder, or --negatives"
    case .noBuildings: "only background labels; add a folder for each building"
    case .leaks(let path, let photos, let asked, let example):
      "\(path): \(photos) of \(asked) photos trained the model or are copies or crops of photos that "
        + "did, such as \(example); name others, divide them with cupola split before training, or "
        + "add --allow-leaks"
    case .emptyPart(let part):
      "no photo is for the part \"\(part)\"; name another with --part, or add rows to split.csv"
    case .badReport(let path):
      "\(path): not a report to compare with; make one with cupola evaluate --report"
    case .cannotExport(let fault): "cannot be exported: " + fault.message
    }
  }
}

extension TrainingError.ExportFault {
  var message: String {
    switch self {
    case .reservedLabel(let label):
      "a building is labelled \(label), which exports use for everything else; rename its folder"
    case .nearestVoting: "its features vote for the nearest bin; train with linear votes"
    case .textForC(let text):
      "\"\(text.prefix(40))...\" is too long for C, or has a zero byte; shorten it in folder or map"
    case .weights(let format, let others):
      "it has no \(format.rawValue) weights there; use --weights "
        + others.map(\.rawValue).joined(separator: " or ")
    case .inTheWay(let path):
      "\(path) is there and is no export of Cupola; remove it or name another folder"
    case .pictureTooSmall: "no block of its features fits the picture; train it again"
    }
  }
}
