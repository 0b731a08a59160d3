import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola model`.
struct ShowModel: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows what is inside a model file, or writes it without traces of the photos.",
    discussion: """
      A model keeps hashes of the photos that trained it, so that copies of them are no tests, and \
      where they were taken, so that a position helps. Before it goes to everybody, --strip leaves \
      that out.

      EXAMPLES
        cupola model campus.safetensors --json
        cupola model campus.safetensors --strip hashes,digests,viewpoints -o public.safetensors
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(
    help: ArgumentHelp(
      "What to leave out: hashes, digests, viewpoints, or several with commas; needs --output.",
      valueName: "traces"))
  var strip: StrippedTraces?

  @Option(
    name: .shortAndLong, help: "The model file to write; the other one stays as it is.",
    completion: .file(extensions: ["safetensors"]))
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (strip == nil) == (output == nil) else {
      throw ValidationError(
        strip == nil
          ? "--output is for what --strip leaves over" : "--strip needs --output, the file to write"
      )
    }
  }

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let bytes = try FileAccess.read(model)
      let contents = try Model(bytes: bytes)
      guard let strip, let output else {
        let card = ModelCard(contents, path: model, bytes: bytes)
        return Console.print(json ? try JSONObject.text(card.json, pretty: true) : card.text)
      }
      let stripped = contents.stripping(strip.traces)
      let written = try stripped.bytes()
      try FileAccess.write(written, to: output)
      if json {
        let card = ModelCard(stripped, path: output, bytes: written)
        return Console.print(try JSONObject.text(card.json, pretty: true))
      }
      Console.print(line: "\(output): \(written.count) bytes")
      for trace in TrainingTrace.allCases where strip.traces.contains(trace) {
        Console.print(
          line: "  without \(trace.rawValue) (\(contents.count(of: trace))): \(trace.loss)")
      }
    }
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
    case .hashes: "evaluate does not find copies and crops of training photos any more"
    case .digests:
      "evaluate does not know its training photos, train does not --update it, and explain finds no remembered photo"
    case .viewpoints: "a position says only which mapped buildings are near"
    }
  }
}
