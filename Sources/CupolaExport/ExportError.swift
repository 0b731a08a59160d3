public import Cupola

/// Why a model cannot be exported.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum ExportError: Error, Equatable, Sendable {
  /// A building has the name that exports give to everything that is no building.
  case reservedLabel(String)
  /// A classifier that looks its answer up among remembered photos.
  case retrieval
  /// No block of `hog`, or no patch of `fisher`, fits the recipe's picture.
  case pictureTooSmall
  /// A label, or a building's name, that no C string is made of.
  case textForC(String)
  /// A label that is no single line, as TFLite has its labels.
  case textForTFLite(String)
  /// Weights in a format that the export has not; those that it has.
  case weights(WeightFormat, [WeightFormat])
  /// The model file cannot be used.
  case model(CupolaError)
  /// A file of an export cannot be read or written.
  case file(FileError)
  /// A part of the guide in `README.md` is broken, which no input makes it.
  case brokenGuide(String)
  /// What stands at the path is no export, and is not replaced.
  case inTheWay(path: String)
  /// What is to be verified is no export.
  case noExport(path: String)
  /// Anything else, in its own words; no input brings it about.
  case unexpected(String)
}

extension ExportError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .model(let error): error.message
    case .file(let error): error.message
    case .noExport(let path): "\(path): no export of Cupola; cupola export makes one"
    default: "cannot be exported: " + reason
    }
  }

  private var reason: String {
    switch self {
    case .reservedLabel(let label):
      "a building is labeled \(label), which exports use for everything else; rename its folder"
    case .retrieval:
      "its classifier looks answers up among thousands of photos, which programs for networks are not made for; "
        + "use the library, or train with --classifier softmax"
    case .pictureTooSmall: "nothing that its features look at fits the picture; train it again"
    case .textForC(let text):
      "\"\(text.prefix(40))...\" is too long for C, or has a zero byte; shorten it in folder or map"
    case .textForTFLite(let text):
      "TFLite has labels in lines of text, and \(text.debugDescription) is no line; rename its folder"
    case .weights(let format, let others):
      "it has no \(format.rawValue) weights there; use --weights "
        + others.map(\.rawValue).joined(separator: " or ")
    case .brokenGuide(let reason): "its guide is broken: \(reason); please tell us"
    case .model, .file, .noExport: message
    case .inTheWay(let path):
      "\(path) is there and is no export of Cupola; remove it or name another folder"
    case .unexpected(let reason): "\(reason); please tell us"
    }
  }
}

extension ExportError {
  /// What else fails on the way to an export, as errors of exports.
  static func wrapping<Result>(_ body: () throws -> Result) throws(ExportError) -> Result {
    do {
      return try body()
    } catch let error as ExportError {
      throw error
    } catch let error as CupolaError {
      throw .model(error)
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .unexpected("\(error)")
    }
  }
}
