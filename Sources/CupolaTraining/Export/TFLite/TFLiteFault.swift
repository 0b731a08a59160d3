/// What is wrong with a TFLite file.
public enum TFLiteFault: Error, Equatable, Sendable {
  /// It is no TFLite file at all.
  case notTFLite
  /// Something is said to stand outside of the file.
  case outside(at: Int)
  /// The model's tables are not as they should be.
  case model(String)
  /// One operator, by its place, is not as it should be.
  case `operator`(Int, String)
  /// The metadata are not as they should be.
  case metadata(String)
  /// The files that travel with the model are not as they should be.
  case files(String)
  /// The bytes are not those that were exported.
  case wrongDigest

  /// A few words for people.
  public var message: String {
    switch self {
    case .notTFLite: "it does not begin as a TFLite file does"
    case .outside(let place): "what should stand at byte \(place) lies outside of the file"
    case .model(let problem): problem
    case .operator(let index, let problem): "operator \(index): \(problem)"
    case .metadata(let problem): "metadata: \(problem)"
    case .files(let problem): "files in it: \(problem)"
    case .wrongDigest: "it was changed after it was exported; export it again"
    }
  }
}
