import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola model`.
struct ShowModel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows what is inside a model file, or writes it anew, without traces of the photos.",
    discussion: """
      A model keeps hashes of the photos that trained it, so that copies of them are no tests, and \
      where they were taken, so that a position helps. Before it goes to everybody, --strip leaves \
      that out.

      EXAMPLES
        cupola model campus.safetensors --json
        cupola model old.safetensors -o campus.safetensors
        cupola model campus.safetensors --strip hashes,digests,viewpoints \\
          -o public.safetensors
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(
    help: ArgumentHelp(
      "What to leave out: hashes, digests, viewpoints, or several with commas; needs --output.",
      valueName: "traces"))
  var strip: StrippedTraces?

  @Option(
    name: .shortAndLong,
    help: "Write the model to this file as this version does, with a digest of all of it.",
    completion: .file(extensions: ["safetensors"]))
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    try PhotoArguments.checkPaths([model, output])
    try OutputFile.checkIsNoStream(output, for: "models")
    guard strip == nil || output != nil else {
      throw ValidationError("--strip needs --output, the file to write.")
    }
    // Written anew, a model loses nothing; what is stripped is nowhere else.
    if strip != nil { try OutputFile.check(output, isNoneOf: [model]) }
  }

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let bytes = try FileAccess.read(model)
      let contents = try Model(bytes: bytes)
      guard let output else { return try show(contents, model, bytes) }
      let traces = strip?.traces ?? []
      let written = try contents.stripping(traces).bytes()
      try FileAccess.write(written, to: output)
      if json { return try show(try Model(bytes: written), output, written) }
      Console.print(line: "\(output): \(written.count) bytes")
      for trace in TrainingTrace.allCases where traces.contains(trace) {
        Console.print(
          line: "  without \(trace.rawValue) (\(contents.count(of: trace))): \(trace.loss)")
      }
    }
  }

  private func show(_ contents: Model, _ path: String, _ bytes: [UInt8]) throws {
    let card = ModelCard(contents, path: path, bytes: bytes)
    Console.print(
      json
        ? try JSONObject.text(card.json, pretty: true)
        : WrappedText.folded(card.text, to: Console.width))
  }
}

/// Traces with commas between them.
struct StrippedTraces: ExpressibleByArgument {
  let traces: Set<TrainingTrace>

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false)
    let traces = names.compactMap { TrainingTrace(rawValue: String($0)) }
    guard traces.count == names.count else { return nil }
    self.traces = Set(traces)
  }
}

extension TrainingTrace {
  /// What a model does no more without it.
  fileprivate var loss: String {
    switch self {
    case .hashes:
      "evaluate finds copies and crops of training photos only where these are beside them"
    case .digests:
      "evaluate does not know the files of its training photos, train does not --update it, and explain finds no remembered photo"
    case .viewpoints: "a position says only which mapped buildings are near"
    }
  }
}
