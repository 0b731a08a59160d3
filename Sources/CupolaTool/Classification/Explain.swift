import ArgumentParser
import Cupola
import CupolaExport
import CupolaTraining

// 1. Explain the answer to a photo by the evidence in its picture.
// 2. Write the picture of the evidence, as JPEG, PNG or SVG.
// 3. Print the explanation.

struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Shows what in a photo speaks for the answer.",
    discussion: """
      A softmax classifier is linear, so that the part of each place in a photo in the difference \
      between the best label and the best other building is exact. The picture is the photo in gray, orange \
      where it speaks for the one and blue where it speaks for the other. What position and heading \
      say is not explained. A retrieval model answers by the training photos that are most like the photo; \
      the picture shows how much each place adds to that likeness.

      EXAMPLES
        cupola explain campus.safetensors visit.jpg -o why.jpg
        cupola explain campus.safetensors visit.jpg -o why.jpg --against old_library
        cupola explain campus.safetensors visit.jpg --json > why.json
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "A JPEG photo.", completion: .file())
  var photo: String

  @Option(
    name: .shortAndLong,
    help: "The picture to write, JPEG, PNG or SVG by its name (default: none).",
    completion: .file(extensions: ["jpg", "png", "svg"]))
  var output: String?

  @Option(
    help: "The label to explain (default: the most probable by the picture alone).",
    completion: .custom(ModelLabels.completions))
  var label: String?

  @Option(
    help: "The label to compare it with (default: the most probable other building).",
    completion: .custom(ModelLabels.completions))
  var against: String?

  @Option(
    help:
      "Of a retrieval model: the folder of training photos, to show the one most like the photo beside it.",
    completion: .directory)
  var photos: String?

  @Option(help: "Pixels along the longer side of the photo in the picture. (default: 1024)")
  var size: Int?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  @Flag(help: "Accept a photo whose data end early or are damaged.")
  var lenient = false

  @Flag(help: "Print the sums and the map as JSON.")
  var json = false

  private static let endings = [".jpg", ".jpeg", ".png", ".svg"]

  func validate() throws {
    try PhotoArguments.checkPaths([model, photo, output, photos])
    if let size {
      try ensure((64...4096).contains(size), "--size must be 64 to 4096, not \(size).")
      try ensure(output != nil, "--size is that of the picture: name its file with --output.")
    }
    if let label, label == against {
      throw ValidationError("--label and --against name the same label.")
    }
    try OutputFile.check(output, isNotAmong: [photo, model])
    if let output, !Self.endings.contains(where: { output.lowercased().hasSuffix($0) }) {
      throw ValidationError("--output must end in .jpg, .png or .svg, not \(output).")
    }
  }

  func run() async throws {
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    for name in [label, against].compactMap(\.self) {
      guard let meant = ModelLabels.similarLabel(to: name, in: trained) else { continue }
      Console.error(CupolaError.unknownLabel(name).message + "; did you mean \"\(meant)\"?")
      throw ExitCode.validationFailure
    }
    if photos != nil, trained.classifierKind != .retrieval {
      Console.error(
        "--photos goes with a retrieval model, which remembers photos; \(model) is none")
      throw ExitCode.validationFailure
    }
    try await ExitStatus.reporting(about: photo) {
      if let output { try FileAccess.checkFolder(of: output) }
      var decoder = PhotoDecoder()
      decoder.lenient = lenient
      let opened = try decoder.open(path: photo)
      let explanation = try Explainer(model: trained)
        .explain(opened, label: label, against: against)
      let answer = try Recognizer(model: trained).recognize(opened, usingPlace: !noPlace)
      let match = try match(of: explanation, by: trained)
      let text = ExplanationText(
        explanation, answer, trained.campus, isAsked: label != nil, match: match?.name)
      if let output {
        let bytes = try drawn(
          explanation, opened, text, by: trained, match: match, name: output.lowercased())
        try FileAccess.write(bytes, to: output)
      }
      try show(explanation, answer, text, match: match?.name)
    }
  }

  /// The file, of the kind that its name says; the answer heads it as it heads the text.
  private func drawn(
    _ explanation: Explanation, _ photo: Photo, _ text: ExplanationText, by trained: Model,
    match: MatchedPhoto?, name: String
  ) throws -> [UInt8] {
    var overlay = ExplanationOverlay()
    overlay.maximumSide = size ?? 1024
    if name.hasSuffix(".svg") {
      let drawing = try ExplanationDrawing(
        explanation, photo: photo, lines: text.lines, names: text.names, overlay: overlay)
      return Array(drawing.svg.utf8)
    }
    overlay.headline = text.lines.first
    let picture: RGBImage
    if let match {
      let other = try Explainer(model: trained).explain(
        match.photo, label: explanation.label, against: explanation.against)
      picture = try overlay.image(
        explanation, photo: photo, beside: (other, match.photo), campus: trained.campus)
    } else {
      picture = try overlay.image(explanation, photo: photo, campus: trained.campus)
    }
    return name.hasSuffix(".png")
      ? PNG.bytes(of: picture) : try ExplanationOverlay.jpeg(of: picture)
  }

  private func match(of explanation: Explanation, by trained: Model) throws -> MatchedPhoto? {
    guard let photos else { return nil }
    let all = try PhotoSet(root: photos, allowOutside: true).photos
    try OutputFile.check(output, isNotAmong: all.map { $0.path })
    guard let match = explanation.match else {
      // A label such as `_unfamiliar`, which no photo trained, has none though the model is not stripped.
      let which =
        trained.provenance.photoDigests.isEmpty
        ? "its photos any more" : "photos of \(explanation.label)"
      Console.note(
        "warning: \(model) has no digests of \(which), by which --photos would find one")
      return nil
    }
    let found = try MatchedPhoto(match, label: explanation.label, among: all)
    if found == nil {
      Console.note("warning: \(photos) has no photo whose SHA-256 begins with \(match.digest)")
    }
    return found
  }

  private func show(
    _ explanation: Explanation, _ answer: Recognition, _ text: ExplanationText, match: String?
  ) throws {
    if json {
      let figures = JSONObject(
        explaining: photo, explanation, answer, picture: output, match: match)
      try Console.print(json: figures)
    } else {
      Console.print("\(VisibleText.line(photo)): \(text.lines.joined(separator: "\n"))")
    }
    if let warning = text.warning { Console.note("warning: \(photo): \(warning)") }
  }
}
