import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining

// 1. Read a map.
// 2. Check it, with the photos if they are named.
// 3. Phrase the notes and warnings of training about labels and a map.

struct CampusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campus",
    abstract: "Answers questions about a map of the grounds.",
    discussion: """
      EXAMPLES
        cupola campus check campus.geojson --photos photos
        cupola campus contains campus.geojson --at 48.3000,10.9000
        cupola campus nearby campus.geojson --at 48.3000,10.9000 --heading 45
        cupola campus search campus.geojson old library
      """,
    subcommands: [
      CampusCheckCommand.self, CampusContains.self, CampusNearby.self, CampusSearch.self,
    ])
}

struct CampusCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds all that is wrong with a map, and says how to mend it.",
    discussion: """
      Looks for rings that are not closed or cross themselves, labels that stand twice, buildings outside the \
      fence and single places with swapped coordinates; with --photos also for a map that is swapped as a whole, \
      which only they show, labels without photos and photos without a building. One line for each; the exit code \
      is 65 when one is a fault, and 0 when all is advice. Changes nothing.

      EXAMPLE
        cupola campus check campus.geojson --photos photos
      """)

  @Argument(help: "The map, GeoJSON.", completion: .file(extensions: ["geojson", "json"]))
  var campus: String

  @Option(help: "The folder of photos that the map belongs to.", completion: .directory)
  var photos: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([campus, photos])
    if photos == nil { try common.checkUnused(with: tables, without: "--photos") }
  }

  func run() async throws {
    let check = try await check()
    if json {
      try Console.print(
        json: [
          "schema": "cupola.campus_check/1", "campus": campus,
          "fence_polygons": check.fencePolygons, "buildings": check.buildings,
          "findings": check.findings.map { JSONObject(finding: $0) },
        ] as JSONObject)
    } else {
      Console.print(text(check))
    }
    if check.findings.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
  }

  private func check() async throws -> CampusCheck {
    let photos = try await facts()
    do {
      return CampusCheck(geoJSON: try MapFile.bytes(campus), photos: photos)
    } catch let fault as CampusError {
      return CampusCheck(unreadable: fault)
    }
  }

  private func facts() async throws -> CampusCheck.Photos? {
    guard let folder = photos else { return nil }
    let set = try PhotoSet(root: folder, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: folder) }
    // Otherwise an unreadable folder would look like a building without photos.
    ShardOptions.report(set.skipped)
    let progress = Progress("reading", total: set.photos.count, quiet: common.quiet)
    return await CampusCheck.Photos(
      of: set, decoder: common.decoder, threads: common.threads, progress: { progress.update($0) })
  }

  private func text(_ check: CampusCheck) -> String {
    if check.findings.isEmpty {
      let parts = [
        FigureText.count(check.fencePolygons, "polygon"),
        FigureText.count(check.buildings, "building"),
      ]
      return "\(VisibleText.line(campus)): nothing wrong; a fence of \(parts[0]), \(parts[1])"
    }
    return check.findings.map { VisibleText.line("\(campus): \($0.text)") }
      .joined(separator: "\n")
  }
}

protocol CheckFinding {
  var kind: String { get }
  var isAdvice: Bool { get }
  var message: String { get }
}

extension CheckFinding {
  var text: String { (isAdvice ? "advice: " : "") + message }
}

extension CampusFinding: CheckFinding {}

extension JSONObject {
  /// A finding; `subject` is what it is about, if the message alone does not say so.
  init(finding: some CheckFinding) {
    self = [
      "kind": finding.kind, "severity": finding.isAdvice ? "advice" : "fault",
      "subject": (finding as? GuideFinding)?.subject, "message": finding.message,
    ]
  }
}

/// Reads a map; its errors name the file.
enum MapFile {
  struct Failure: Error, CustomStringConvertible {
    let path: String
    let error: CampusError
    var description: String { "\(path): \(error)" }
  }

  static func campus(_ path: String) throws -> Campus {
    do {
      return try Campus(geoJSON: try bytes(path))
    } catch let error as CampusError {
      throw Failure(path: path, error: error)
    }
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    do {
      return try FileAccess.read(path, limit: Campus.fileLimit)
    } catch FileError.tooLarge(let bytes, let limit) {
      throw CampusError.fileTooLarge(bytes: bytes, limit: limit)
    }
  }
}

enum MapMessages {
  /// The buildings that were matched with labels of photos; `nil` if there are none.
  static func note(_ matching: LabelMatching?) -> String? {
    guard let joined = matching?.joined, !joined.isEmpty else { return nil }
    return "joined with the map: "
      + Format.list(joined.map { "\($0.building.name) is \($0.label)" })
  }

  /// Warnings about labels that the model's map lacks.
  static func warnings(_ model: Model, _ matching: LabelMatching?) -> [String] {
    guard let campus = model.campus else { return [] }
    let labels = model.labels.buildings.map { model.labels.names[$0] }
    let doubtful = (matching?.doubtful ?? []).filter { labels.contains($0.label) }
    let missing = labels.filter { campus.building(labeled: $0) == nil }
    var warnings: [String] = []
    if !doubtful.isEmpty {
      warnings.append(
        "perhaps the same building twice: "
          + Format.list(doubtful.map { "\($0.label) and \($0.title) of the map" })
          + "; give the building this label, or the folder its name")
    }
    if missing.count == labels.count, labels.count > 1 {
      warnings.append(
        "no label is in the map; give its buildings the names of the folders as label, id or name")
    } else {
      let others = missing.filter { label in !doubtful.contains { $0.label == label } }
      if others.count == 1 {
        warnings.append(
          "\(others[0]) is not in the map; give a building there this label, id or name")
      } else if !others.isEmpty {
        warnings.append(
          "\(others.count) labels are not in the map: \(Format.list(others)); give buildings there these labels, "
            + "ids or names")
      }
    }
    return warnings
  }
}
