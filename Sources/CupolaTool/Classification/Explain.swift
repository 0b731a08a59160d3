import ArgumentParser
import Cupola
import CupolaExport
internal import CupolaSupport
import CupolaTraining

// 1. Compute the evidence in each part of a photo for its answer.
// 2. Write an image of the evidence as JPEG, PNG or SVG.
// 3. Print the explanation.

struct Explain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show the evidence for a photo's answer.",
    discussion: """
      The output image shows the photo in gray and the evidence for the building of the answer in orange. Blue is the \
      evidence for the building that the image alone ranks second. If the image alone is rejected, orange is the \
      evidence for the most similar building, and blue is the evidence for the rejection. If the position indicates another building than the image, \
      both are compared. Position and heading themselves are not explained.

      A softmax classifier is linear, so the contribution of each part of the photo to the difference between the two \
      labels is exact; --json prints it. A retrieval model compares photos with its training photos; the image then \
      shows how much each part contributes to the similarity. With --photos, the most similar training photo of the \
      building is shown beside the photo.

      EXAMPLES
        cupola explain campus.safetensors visit.jpg -o why.jpg
        cupola explain campus.safetensors visit.jpg -o why.jpg --against old_library
        cupola explain campus.safetensors visit.jpg -o why.jpg --photos photos
        cupola explain campus.safetensors visit.jpg -o why.jpg --max-error 0.01
        cupola explain campus.safetensors visit.jpg --json > why.json
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Argument(help: "JPEG photo.", completion: .file())
  var photo: String

  @Option(
    name: .shortAndLong,
    help: "Image to write, named *.jpg, *.png or *.svg.",
    completion: .file(extensions: ["jpg", "png", "svg"]))
  var output: String?

  @Option(
    help: "Label to explain. (default: the building of the answer, or the most similar one)",
    completion: .custom(ModelLabels.completions))
  var label: String?

  @Option(
    help:
      "Label to compare with. (default: the second-best building, or the rejection)",
    completion: .custom(ModelLabels.completions))
  var against: String?

  @Option(
    help: "Folder of training photos; shows the most similar one.",
    completion: .directory)
  var photos: String?

  @Option(help: "Longer side of the photo in pixels. (default: 1024)")
  var size: Int?

  @Flag(help: "Ignore positions and headings.")
  var noPlace = false

  @Flag(help: "Accept a truncated or damaged photo.")
  var lenient = false

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var error: ErrorOption

  private static let endings = [".jpg", ".jpeg", ".png", ".svg"]

  func validate() throws {
    try PhotoArguments.checkPaths([model, photo, output, photos])
    if let size {
      try ensure((64...4096).contains(size), "--size must be 64 to 4096, not \(size)")
      try ensure(output != nil, "--size requires --output")
    }
    if let label, label == against {
      throw ValidationError("--label and --against must be different")
    }
    try OutputFile.check(output, isNotAmong: [photo, model])
    if let output, !Self.endings.contains(where: { output.lowercased().hasSuffix($0) }) {
      throw ValidationError("--output must end in .jpg, .png or .svg, not \(output)")
    }
  }

  func run() async throws {
    let trained = try await ExitStatus.reporting(about: model) { try Model(contentsOf: model) }
    for name in [label, against].compactMap(\.self) {
      guard let meant = ModelLabels.similarLabel(to: name, in: trained) else { continue }
      Console.error(CupolaError.unknownLabel(name).message + "; did you mean \"\(meant)\"?")
      throw ExitCode.validationFailure
    }
    try await ExitStatus.reporting(about: photo) {
      if let output { try FileAccess.checkFolder(of: output) }
      var decoder = PhotoDecoder()
      decoder.lenient = lenient
      let opened = try decoder.open(path: photo)
      let recognizer = Recognizer(model: trained, maximumError: error.maxError)
      error.explain(recognizer.point)
      error.noteCalibration(of: recognizer.model)
      let explainer = Explainer(model: trained, point: recognizer.point)
      let alone = try recognizer.recognize(opened, usingPlace: false)
      let answer = noPlace ? alone : try recognizer.recognize(opened)
      let pair = pair(for: answer, alone, in: trained.labels)
      var explanation = try explainer.explain(opened, label: pair.label, against: pair.against)
      let match = try match(of: &explanation, opened, by: explainer)
      let text = ExplanationText(
        explanation, answer, alone: alone, trained.campus, picture: output, match: match?.name)
      if let output {
        let bytes = try drawn(
          explanation, opened, text, by: trained, match: match, name: output.lowercased())
        try FileAccess.write(bytes, to: output)
      }
      try show(explanation, answer, text, match: match?.name)
    }
  }

  /// The labels to compare, if they are given or if the position changes the answer; `nil` for the explainer's defaults.
  private func pair(
    for answer: Recognition, _ alone: Recognition, in labels: Labels
  ) -> (label: String?, against: String?) {
    guard label == nil, against == nil else { return (label, against) }
    var (shown, other) = (answer.label, alone.candidates.first?.label)
    if case .tooClose = answer.reason { shown = answer.candidates.first?.label }
    if case .contradicted(let picture, let place) = answer.reason {
      (shown, other) = (picture, place)
    }
    guard let shown, labels.names.contains(shown) else { return (nil, nil) }
    return (shown, other.flatMap { $0 != shown && labels.names.contains($0) ? $0 : nil })
  }

  var drawnSide: Int { size ?? 1024 }

  private func drawn(
    _ explanation: Explanation, _ photo: Photo, _ text: ExplanationText, by trained: Model,
    match: MatchedPhoto?, name: String
  ) throws -> [UInt8] {
    var overlay = ExplanationOverlay()
    overlay.maximumSide = drawnSide
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
      ? PNG.bytes(of: picture, compress: Deflate.zlib) : try ExplanationOverlay.jpeg(of: picture)
  }

  private func match(
    of explanation: inout Explanation, _ photo: Photo, by explainer: Explainer
  ) throws -> MatchedPhoto? {
    guard let photos else { return nil }
    let trained = explainer.model
    let all = try PhotoSet(root: photos, allowOutside: true).photos
    try OutputFile.check(output, isNotAmong: all.map { $0.path })
    if trained.classifierKind == .softmax,
      trained.provenance.photoDigests[explanation.label] != nil
    {
      guard
        let nearest = try MatchedPhoto.nearest(
          to: photo, of: explanation.label, among: all, by: explainer)
      else {
        Console.note(
          "warning: \(photos) has no training photo of \(explanation.label); give the folder that was used for training"
        )
        return nil
      }
      explanation.match = nearest.match
      return nearest.photo
    }
    guard let match = explanation.match else {
      // Labels without training photos, such as `_unfamiliar`, do not have digests in any model.
      let which =
        trained.provenance.photoDigests.isEmpty
        ? "its training photos" : "photos of \(explanation.label)"
      Console.note(
        "warning: \(model) has no digests of \(which), so --photos cannot find the most similar one"
      )
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
