import ArgumentParser
import Cupola
import CupolaTraining

/// Which part of a work that machines share, and where it is written.
struct ShardOptions: ParsableArguments {
  @Option(
    name: .shortAndLong, help: "The folder that the shard is written to.", completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp("Which part of how many, such as 3/8 (default: 1/1).", valueName: "i/n"),
    transform: ShardOptions.part)
  var shard: ShardPart?

  @Option(
    help: ArgumentHelp(
      "The shard's name, where --split lists a part of the photos that somebody else chose.",
      valueName: "name"))
  var name: String?

  func validate() throws {
    try PhotoArguments.checkPaths([output])
    if name != nil, shard != nil {
      throw ValidationError("A shard has a --name or is a part by --shard: leave one out.")
    }
    if let name, name.isEmpty || name.hasPrefix(".") || name.contains("/") {
      throw ValidationError("--name must be the name of a file, without folder and ending.")
    }
  }

  /// Whether nothing was said of a shard.
  var isEmpty: Bool { output == nil && shard == nil && name == nil }

  /// `nil` when somebody else divided the photos.
  var part: ShardPart? { name == nil ? shard ?? ShardPart(1, of: 1) : nil }

  /// The file to write, in a folder that is made; `nil` when nothing is to be written.
  ///
  /// - Parameter input: what is read, and might be called so.
  func path(besides input: String?) throws -> String? {
    guard let output else { return nil }
    try Directory.createAll(output)
    try FileAccess.checkFolder(of: output + "/")
    let path = (output.hasSuffix("/") ? output : output + "/") + fileName
    try OutputFile.check(path, as: "the shard", isNoneOf: [input])
    return path
  }

  /// With as many digits each, so that names sort.
  private var fileName: String {
    if let name { return name + ".safetensors" }
    guard let part else { return "shard.safetensors" }
    let number = Digits.padded(part.number, to: "\(part.of)".count)
    return "shard-\(number)-of-\(part.of).safetensors"
  }

  private static func part(_ text: String) throws -> ShardPart {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let of = numbers[1], of <= 100_000,
      let part = ShardPart(number, of: of)
    else { throw ValidationError("\(text) is no part; the third of eight is 3/8.") }
    return part
  }

  /// Tells what was written and what is not in it.
  ///
  /// - Parameter figures: what else JSON says.
  static func tell(
    _ path: String, photos: Int, skipped: [SkippedFile], figures: JSONObject = [:],
    asJSON: Bool
  ) throws {
    if asJSON {
      let object: JSONObject = [
        "schema": "cupola.shard/1", "shard": path, "photos": photos,
        "skipped": SkippedFile.table(of: skipped).json,
      ]
      Console.print(try JSONObject.text(object.adding(figures), pretty: true))
    } else {
      Console.print("shard \(VisibleText.line(path)), \(FigureText.count(photos, "photo"))")
    }
    tell(skipped)
  }

  /// Tells what was left out.
  static func tell(_ skipped: [SkippedFile]) {
    for photo in skipped {
      Console.note(VisibleText.line("skipped: \(photo.name): \(photo.message)"))
    }
  }
}
