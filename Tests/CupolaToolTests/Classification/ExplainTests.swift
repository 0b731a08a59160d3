import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport
@testable import CupolaGuideBuilder
@testable import CupolaTool

@Suite("cupola explain")
struct ExplainTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for kind in TinyCampus.Kind.allCases {
      try folder.write(try TinyCampus.jpeg(kind, seed: 90), to: "new/\(kind).jpg")
    }
  }

  private func explain(_ arguments: String...) throws -> Tool.Output { try explain(arguments) }

  private func explain(_ arguments: [String]) throws -> Tool.Output {
    try Tool.run(["explain", "m.safetensors"] + arguments, in: folder)
  }

  /// Replaces the biases of all labels; those that are not given become 0.
  private func setBiases(_ biases: [String: Float]) throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    let names = try JSONDecoder().decode(
      [String].self, from: Data(try #require(file.metadata["labels"]).utf8))
    file.tensors["classifier.bias"] = SafeTensors.Tensor(
      floats: names.map { biases[$0] ?? 0 }, shape: [names.count])
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
  }

  private func numbers(_ text: String) -> String {
    text.replacing(/[+-]?\d+(\.\d+)?( ?%)?/, with: "N")
  }

  @Test("Writes the overlay, prints evidence and keeps the photo")
  func picture() throws {
    let before = try folder.bytes("new/arch.jpg")
    let output = try explain("new/arch.jpg", "-o", "why.jpg", "--against", "barn")
    expectSuccess(output)
    try expectSnapshot(numbers(output.stdout), "explain")
    let picture = try PhotoDecoder().open(try folder.bytes("why.jpg")).image()
    #expect(max(picture.width, picture.height) >= 640)
    #expect(try folder.bytes("new/arch.jpg") == before)
    #expect(
      try folder.contents().keys.sorted().filter { $0.contains("why") } == ["why.jpg"])
    let again = try explain("new/arch.jpg", "-o", "why.jpg", "--size", "128")
    expectSuccess(again)
    #expect(try PhotoDecoder().open(try folder.bytes("why.jpg")).image().width <= 128)
  }

  @Test("--json has the documented fields and a consistent map")
  func json() throws {
    let output = try explain("new/barn.jpg", "--json", "-o", "why.jpg", "--label", "cone")
    expectSuccess(output)
    let figures = try #require(try output.json() as? [String: Any])
    #expect(
      figures.keys.sorted() == [
        "against", "against_probability", "answer", "areas", "bias_difference",
        "evidence_against", "evidence_for", "label", "logit_difference", "map", "photo",
        "picture", "probability", "schema", "suspicious", "verdict",
      ])
    #expect(figures["schema"] as? String == "cupola.explanation/1")
    #expect(
      try explain("new/barn.jpg", "--label", "cone").stdout.contains("  the evidence for The Cone ")
    )
    #expect(figures["answer"] as? String == "barn" && figures["label"] as? String == "cone")
    #expect(figures["against"] as? String == "barn" && figures["picture"] as? String == "why.jpg")
    let map = try #require(figures["map"] as? [String: Any])
    #expect(map.keys.sorted() == ["columns", "region", "rows", "values"])
    let values = try #require(map["values"] as? [[Double]])
    #expect(values.count == map["rows"] as? Int && values.count == 16)
    #expect(values.allSatisfy { $0.count == map["columns"] as? Int })
    #expect(
      map["region"] as? [String: Double] == ["x": 0, "y": 0, "width": 1, "height": 1])
    func number(_ name: String) throws -> Double { try #require(figures[name] as? Double) }
    let sum = values.joined().reduce(0, +)
    #expect(abs(sum + (try number("bias_difference")) - (try number("logit_difference"))) < 1e-4)
    #expect(abs(try number("evidence_for") + number("evidence_against") - sum) < 1e-9)
    #expect(try number("logit_difference") < 0)
    let areas = try #require(figures["areas"] as? [String: [String: Double]])
    #expect(areas.keys.sorted() == ["border", "elsewhere", "middle", "sky"])
    for name in ["evidence", "extent"] {
      #expect(abs(areas.values.reduce(0) { $0 + ($1[name] ?? 0) } - 1) < 1e-9)
    }
  }

  @Test("Warns if most evidence is at the border or in the sky")
  func warning() throws {
    // One edge within the outermost cells.
    let pixels = (0..<256 * 256).flatMap { pixel in
      [UInt8](repeating: pixel % 256 < 4 ? 220 : 60, count: 3)
    }
    try folder.write(
      try JPEGEncoder.encode(RGBImage(width: 256, height: 256, pixels: pixels)), to: "edge.jpg")
    let output = try explain("edge.jpg")
    expectSuccess(output)
    #expect(output.messages.count == 1)
    #expect(output.stderr.hasPrefix("warning: edge.jpg: "))
    #expect(output.stderr.contains("sky or at the border"))
    let figures = try #require(try explain("edge.jpg", "--json").json() as? [String: Any])
    #expect(figures["suspicious"] as? Bool == true)
  }

  @Test("A photo whose position indicates another building is compared with that building")
  func contradiction() throws {
    // Without the position, the barn is slightly less probable than the cone, the second-best building. The other
    // differences between labels stay.
    func difference(_ other: String) throws -> (logit: Double, bias: Double) {
      let json = try explain("new/arch.jpg", "--label", "arch", "--against", other, "--json").json()
      let figures = try #require(json as? [String: Any])
      return (
        try #require(figures["logit_difference"] as? Double),
        try #require(figures["bias_difference"] as? Double)
      )
    }
    let (barn, cone, street) = (
      try difference("barn"), try difference("cone"), try difference("_street")
    )
    try setBiases([
      "barn": Float(barn.logit - barn.bias - cone.logit - 0.1), "cone": Float(0 - cone.bias),
      "_street": Float(0 - street.bias),
    ])
    // Many training photos of the barn were taken 200 m north of it, where no other building is near.
    let viewpoints = [String](repeating: "[48006800,10011000,5]", count: 20).joined(separator: ",")
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["place"] =
      #"{"position_weight":1,"heading_weight":1,"viewpoints":{"barn":[\#(viewpoints)]}}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    let position = TinyCampus.position(48.0068, 10.011)
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90, exif: position), to: "far.jpg")
    let output = try explain("far.jpg")
    expectSuccess(output)
    #expect(output.stdout.contains("Unsure: the image indicates Old Arch, but the position"))
    let alone = try Tool.run(["classify", "m.safetensors", "far.jpg", "--no-place"], in: folder)
    let answer = try #require(alone.stdout.split(separator: "\n").first?.dropFirst(9))
    #expect(output.stdout.contains("  without the position: \(answer)\n"))
    #expect(output.stdout.contains("  the evidence for Old Arch is ") && output.stderr.isEmpty)
    func against(_ options: String...) throws -> String? {
      let json = try explain(["far.jpg", "--json"] + options).json()
      return (json as? [String: Any])?["against"] as? String
    }
    #expect(try against() == "barn" && against("--against", "cone") == "cone")
    #expect(try against("--no-place") == "cone")
  }

  @Test("The best building of a rejected photo is compared with the rejection")
  func rejection() throws {
    let output = try explain("new/street.jpg", "-o", "why.jpg")
    expectSuccess(output)
    let lines = output.stdout.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("new/street.jpg: Not a Campus Building ("))
    #expect(lines[1].hasPrefix("  the evidence for the most similar building, "))
    #expect(lines[1].contains(" (orange in why.jpg), is "))
    #expect(lines[1].hasSuffix("; blue marks the evidence for _street"))
    let json = try explain("new/street.jpg", "--json").json()
    let figures = try #require(json as? [String: Any])
    #expect(figures["against"] as? String == "_street")
    #expect(try #require(figures["logit_difference"] as? Double) < 0)
  }

  @Test("--max-error explains the rejection by a stricter threshold")
  func maximumError() throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["calibration"] =
      #"{"temperature":1,"not_buildings":{"photos":99,"scores":[100]},"wrong_names":{"photos":99,"scores":[]}}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    #expect(try explain("new/arch.jpg").stdout.hasPrefix("new/arch.jpg: Old Arch ("))
    let output = try explain("new/arch.jpg", "--max-error", "0.01")
    expectSuccess(output)
    let lines = output.stdout.split(separator: "\n")
    #expect(lines.first?.hasPrefix("new/arch.jpg: Not a Campus Building (") == true)
    #expect(lines.first?.hasSuffix(" for the accepted error rate)") == true)
    #expect(lines[1].hasPrefix("  the evidence for the most similar building, Old Arch, is "))
    #expect(output.stderr.hasPrefix("note: with --max-error 0.01, photos that would get a name"))
    let json = try explain("new/arch.jpg", "--max-error", "0.01", "--json").json()
    let figures = try #require(json as? [String: Any])
    #expect(figures["verdict"] as? String == "not_a_campus_building")
    #expect(figures["against"] as? String == "_street")
  }

  @Test("A photo without edges has no evidence")
  func fog() throws {
    let pixels = [UInt8](repeating: 128, count: 100 * 100 * 3)
    try folder.write(
      try JPEGEncoder.encode(RGBImage(width: 100, height: 100, pixels: pixels)), to: "fog.jpg")
    let output = try explain("fog.jpg", "-o", "why.jpg")
    expectSuccess(output)
    #expect(output.stdout.contains("  the image has no edges, so it contains no evidence\n"))
    #expect(output.stderr.isEmpty)
    #expect(!(try folder.bytes("why.jpg").isEmpty))
  }

  @Test("Writes PNG of the same size for names ending in .png")
  func png() throws {
    expectSuccess(try explain("new/arch.jpg", "-o", "why.png"))
    expectSuccess(try explain("new/arch.jpg", "-o", "why.jpg"))
    let png = try folder.bytes("why.png")
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let photo = try PhotoDecoder().open(folder.bytes("why.jpg"))
    let sides = [16, 20].map { at in png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(sides == [photo.width, photo.height])
    #expect(png.count < 3 * photo.width * photo.height / 2, "it is compressed")
  }

  @Test("Compressed PNG files contain every pixel")
  func compressedPNG() throws {
    let (width, height) = (37, 21)
    let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    let png = PNG.bytes(
      of: RGBImage(width: width, height: height, pixels: pixels), compress: Deflate.zlib)
    // The signature and the header have 33 bytes; the data follow the length and name of their chunk.
    let length = png[33..<37].reduce(0) { $0 << 8 | Int($1) }
    let stream = png[41..<41 + length]
    var rows: [UInt8] = []
    let inflate = try #require(Inflate())
    // DEFLATE data are between the header and checksum of the zlib stream.
    let step = try #require(
      inflate.take(stream.dropFirst(2).dropLast(4), room: 10_000, output: &rows))
    #expect(step.isOver && rows.count == height * (3 * width + 1))
    var decoded: [UInt8] = []
    for row in 0..<height {
      let differences = rows[row * (3 * width + 1)..<(row + 1) * (3 * width + 1)]
      #expect(differences.first == 1)
      var line: [UInt8] = []
      for (index, value) in differences.dropFirst().enumerated() {
        line.append(value &+ (index < 3 ? 0 : line[index - 3]))
      }
      decoded += line
    }
    #expect(decoded == pixels)
  }

  #if os(Linux)
    @Test("The memory check includes the image")
    func memory() throws {
      #expect(Explain.pictureBytes(side: 4096, photos: 1) >= 3 * 4096 * 4096)
      // This suffices for images of the usual size; see SystemLimitsTests.
      let process = try Tool.process([], in: folder)
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "ulimit -v 700000 && exec \"$@\"", "sh", try Tool.executable().path, "explain",
        "m.safetensors", "new/arch.jpg", "-o", "why.png", "--size", "4096", "--photos", "new",
      ]
      expectFailure(
        try Tool.output(of: process), 74, "MB of address space is available", "reduce --size")
    }
  #endif

  @Test("Writes SVG with the answer and a legend")
  func svg() throws {
    let output = try explain("new/arch.jpg", "-o", "why.svg")
    expectSuccess(output)
    let svg = String(decoding: try folder.bytes("why.svg"), as: UTF8.self)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("data:image/jpeg;base64,/9j/"))
    let answer = try #require(
      output.stdout.split(separator: "\n").first?.split(separator: ": ").last)
    #expect(svg.contains(">\(answer)</text>"))
    // The legend has one square per color before its text.
    let legend = svg.matches(of: /fill="rgb\(([0-9,]+)\)"\/><text [^>]*>for ([^<(]+)/)
    #expect(legend.map(\.1) == ["230,97,0", "26,84,214"])
    #expect(legend.first.map { $0.2.hasPrefix("Old Arch") } == true)
    #expect(svg.filter { $0 == "<" }.count == svg.filter { $0 == ">" }.count)
  }

  @Test("Refuses to overwrite the photo or the model")
  func overwriting() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.jpg"), withDestinationPath: "new/arch.jpg")
    let before = try folder.contents()
    for name in ["new/arch.jpg", "./new/../new/arch.jpg", "link.jpg", "m.safetensors"] {
      expectUsageError(try explain("new/arch.jpg", "-o", name), "choose another file")
    }
    #expect(try folder.contents() == before)
  }

  @Test("Rejects unknown file extensions and ignores their case")
  func endings() throws {
    let before = try folder.contents()
    for name in ["why.pdf", "why", "why.jpg.gz", "no/png"] {
      expectUsageError(
        try explain("new/arch.jpg", "-o", name), "must end in .jpg, .png or .svg, not \(name)")
    }
    #expect(try folder.contents() == before)
    expectSuccess(try explain("new/arch.jpg", "-o", "why.JPEG"))
    #expect(try folder.bytes("why.JPEG").starts(with: [0xFF, 0xD8]))
  }

  @Test("Unknown labels and a label against itself are usage errors")
  func labels() throws {
    expectFailure(
      try explain("new/arch.jpg", "--label", "Arch"), 64, "\"Arch\"", "cupola model",
      "did you mean \"arch\"?")
    expectFailure(try explain("new/arch.jpg", "--against", "a\n\u{1B}b"), 64, "a\\u{a}\\u{1b}b")
    expectFailure(try explain("new/arch.jpg", "--against", "arch"), 64, "itself")
    expectUsageError(
      try explain("new/arch.jpg", "--label", "arch", "--against", "arch"), "must be different")
    expectUsageError(try explain("new/arch.jpg", "--size", "9"), "--size")
    expectUsageError(try explain(), "<photo>")
  }

  @Test("Reports unusable files and writes no overlay")
  func badFiles() throws {
    try folder.write("text", to: "text.jpg")
    let photo = try folder.bytes("new/arch.jpg")
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "half.jpg")
    expectFailure(try explain("text.jpg", "-o", "why.jpg"), 65, "text.jpg", "text")
    expectFailure(try explain("half.jpg", "-o", "why.jpg"), 65, "half.jpg", "--lenient")
    expectFailure(try explain("no.jpg", "-o", "why.jpg"), 66, "no.jpg")
    expectFailure(try explain("new", "-o", "why.jpg"), 66, "new")
    expectFailure(try explain("new/arch.jpg", "-o", "no/why.jpg"), 73, "no/why.jpg")
    expectFailure(
      try Tool.run(["explain", "text.jpg", "new/arch.jpg", "-o", "why.jpg"], in: folder), 65,
      "text.jpg", "not a usable model")
    #expect(!(try folder.contents().keys.contains("why.jpg")))
    expectSuccess(try explain("half.jpg", "-o", "why.jpg", "--lenient"))
  }

  @Test("Hostile names stay on their line")
  func hostileNames() async throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    let labels = try #require(file.metadata["labels"])
    file.metadata["labels"] = labels.replacing("\"arch\"", with: "\"ar\\u001b[2J\\nch\\u202e\"")
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    let output = try explain("new/arch.jpg", "-o", "why.jpg")
    expectSuccess(output)
    #expect(output.stdout.contains("ar\\u{1b}[2J\\u{a}ch\\u{202e}"))
    #expect(!output.stdout.contains("\u{1B}") && output.stdout.split(separator: "\n").count == 2)
  }

  private func train(_ classifier: ClassifierKind, to model: String = "r.safetensors") throws {
    for kind in [TinyCampus.Kind.arch, .barn, .street] {
      for number in 1...6 {
        try folder.write(
          try TinyCampus.jpeg(kind, seed: UInt64(number)), to: "photos/\(kind.label)/\(number).jpg")
      }
    }
    expectSuccess(
      try Tool.run(
        [
          "train", "photos", "-o", model, "--features", "hog", "--classifier", classifier.rawValue,
          "-q",
        ], in: folder))
  }

  @Test("A retrieval model shows the most similar training photo")
  func match() throws {
    try train(.retrieval)
    let explain = { (options: [String]) in
      try Tool.run(["explain", "r.safetensors"] + options, in: folder)
    }
    let alone = try explain(["new/arch.jpg"])
    expectSuccess(alone)
    #expect(alone.stdout.contains("most similar training photo of arch: SHA-256 "))
    for name in ["why.png", "why.jpg"] {
      let shown = try explain(["photos/arch/3.jpg", "--photos", "photos", "-o", name])
      expectSuccess(shown)
      #expect(shown.stdout.contains("most similar training photo of arch: arch/3.jpg\n"))
    }
    let plain = try explain(["photos/arch/3.jpg", "-o", "plain.png"])
    expectSuccess(plain)
    let widths = try ["why.png", "plain.png"].map { name in
      let bytes = try folder.bytes(name)
      return bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(widths[0] > 2 * widths[1])
    let json = try explain(["photos/barn/2.jpg", "--photos", "photos", "--json"])
    let figures = try #require(try json.json() as? [String: Any])
    let match = try #require(figures["match"] as? [String: Any])
    #expect(match["photo"] as? String == "barn/2.jpg")
    let missing = try explain(["new/arch.jpg", "--photos", "new"])
    #expect(missing.status == 0 && missing.stderr.contains("has no photo whose SHA-256"))
  }

  @Test("A softmax model shows the most similar training photo if there is a folder")
  func softmaxMatch() throws {
    try train(.softmax, to: "s.safetensors")
    let explain = { (options: [String]) in
      try Tool.run(["explain", "s.safetensors"] + options, in: folder)
    }
    let alone = try explain(["photos/arch/3.jpg"])
    #expect(alone.status == 0 && !alone.stdout.contains("most similar"))
    let shown = try explain(["photos/arch/3.jpg", "--photos", "photos", "-o", "why.png"])
    expectSuccess(shown)
    #expect(shown.stdout.contains("most similar training photo of arch: arch/3.jpg\n"))
    // Only photos that the model was trained with count.
    try folder.write(try folder.bytes("new/arch.jpg"), to: "photos/arch/new.jpg")
    let other = try explain(["new/arch.jpg", "--photos", "photos", "--label", "arch", "--json"])
    let figures = try #require(try other.json() as? [String: Any])
    let match = try #require(figures["match"] as? [String: Any])
    let name = try #require(match["photo"] as? String)
    #expect(name.hasPrefix("arch/") && name != "arch/new.jpg")
    let missing = try explain(["new/arch.jpg", "--photos", "new"])
    #expect(missing.status == 0 && missing.stderr.contains("new has no training photo of "))
  }

  @Test("A retrieval model without digests warns and overwrites no photo")
  func noMatch() throws {
    try train(.retrieval)
    let strip = ["model", "r.safetensors", "--strip", "digests", "-o", "stripped.safetensors"]
    expectSuccess(try Tool.run(strip, in: folder))
    let stripped = try Tool.run(
      ["explain", "stripped.safetensors", "new/arch.jpg", "--photos", "photos"], in: folder)
    expectSuccess(stripped)
    #expect(
      stripped.stderr.hasPrefix(
        "warning: stripped.safetensors has no digests of its training photos")
    )
    let photo = try folder.bytes("photos/arch/1.jpg")
    let over = ["--photos", "photos", "-o", "photos/arch/1.jpg"]
    expectUsageError(
      try Tool.run(["explain", "stripped.safetensors", "new/arch.jpg"] + over, in: folder),
      "--output would overwrite the input ")
    #expect(try folder.bytes("photos/arch/1.jpg") == photo)
    // Like `_unfamiliar`, which has no photos.
    var model = try Model(contentsOf: folder.path("r.safetensors"))
    model.provenance.photoDigests["arch"] = nil
    try folder.write(try model.bytes(), to: "some.safetensors")
    let some = try Tool.run(
      ["explain", "some.safetensors", "new/arch.jpg", "--photos", "photos", "--label", "arch"],
      in: folder)
    expectSuccess(some)
    #expect(some.stderr.hasPrefix("warning: some.safetensors has no digests of photos of arch, "))
  }
}
