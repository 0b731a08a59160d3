public import Cupola

/// An error in an export. ``message`` is a description for users. Later versions can add cases.
public enum ExportError: Error, Equatable, Sendable {
  /// A building has a label that exports reserve.
  case reservedLabel(String)
  /// The model has a retrieval classifier, which compares photos with stored photos.
  case retrieval
  /// The input image is too small for a single `hog` block or `fisher` patch.
  case pictureTooSmall
  /// A label or building name that cannot be a C string.
  case textForC(String)
  /// A label that is not a single line, as TFLite requires.
  case textForTFLite(String)
  /// A weight format that the export format does not support, followed by the supported formats.
  case weights(WeightFormat, [WeightFormat])
  /// Photos of the model's buildings were requested, but the model has no digests of its training photos.
  case strippedPhotos
  /// Photos of the model's buildings were requested, but none of the photos was used for training.
  case otherPhotos
  /// The model file cannot be used.
  case model(CupolaError)
  /// A file in an export cannot be read or written.
  case file(FileError)
  /// No installed Clang and linker for WebAssembly could compile the program; contains the first line of their
  /// messages, if any.
  case webCompiler(String)
  /// An internal error in the `README.md` templates.
  case brokenGuide(String)
  /// The path exists and is not an export, so it is not replaced.
  case inTheWay(path: String)
  /// The folder to verify is not an export.
  case notAnExport(path: String)
  /// Any other internal error.
  case unexpected(String)
}

extension ExportError: CustomStringConvertible {
  /// Returns ``message``.
  public var description: String { message }

  /// A one-line message that describes the problem and how to fix it.
  public var message: String {
    switch self {
    case .model(let error): error.message
    case .file(let error): error.message
    case .notAnExport(let path): "\(path): not a Cupola export; create one with cupola export"
    default: "cannot be exported: " + reason
    }
  }

  private var reason: String {
    switch self {
    case .reservedLabel(let label):
      "label \(label) is reserved for exports; rename its folder"
    case .retrieval:
      "the retrieval classifier compares thousands of photos, which this format does not support; "
        + "use the library, or train with --classifier softmax"
    case .pictureTooSmall:
      "the input image is too small for the model's features; train the model again"
    case .textForC(let text):
      "\"\(text.prefix(40))...\" is too long for C or has a zero byte; shorten it in the folder name or map"
    case .textForTFLite(let text):
      "label \(text.debugDescription) is not a single line of text, which TFLite requires; rename its folder"
    case .weights(let format, let others):
      "this format does not support \(format.rawValue) weights; use --weights "
        + others.map(\.rawValue).joined(separator: " or ")
    case .strippedPhotos:
      "the model has no digests of its training photos, so --golden photos cannot find them; export without it"
    case .otherPhotos:
      "none of the photos was used to train the model; specify its training photos with --photos"
    case .webCompiler(let message):
      "the web format requires clang and wasm-ld with WebAssembly support\(message); install both (apt-get install "
        + "clang lld, or brew install llvm lld), or add usr/bin of the Swift toolchain to PATH"
    case .brokenGuide(let reason): "internal error in README.md: \(reason); please report it"
    case .model, .file, .notAnExport: message
    case .inTheWay(let path):
      "\(path) exists and is not a Cupola export; remove it or choose another folder"
    case .unexpected(let reason): "internal error: \(reason); please report it"
    }
  }
}

extension ExportError {
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
