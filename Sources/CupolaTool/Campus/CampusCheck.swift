import ArgumentParser
import Cupola
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining

// 1. Read a map.
// 2. Check it, optionally together with the photos.
// 3. Format notes and warnings about labels and the map for the train command.

struct CampusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campus",
    abstract: "Check and search a campus map.",
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
    abstract: "Check a campus map and suggest corrections.",
    discussion: """
      Reports unclosed or self-intersecting rings, duplicate labels, buildings outside the fence, and swapped \
      coordinates. With --photos, also reports a map whose coordinates are all swapped, labels without photos, and \
      photos without a building. Prints one line for each finding. The exit code is 65 if there is a fault, and 0 if \
      there is only advice. Changes nothing.

      EXAMPLE
        cupola campus check campus.geojson --photos photos
      """)

  @Argument(
    help: "Campus map (GeoJSON or CSV).",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String

  @Option(help: "Folder of campus photos.", completion: .directory)
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
          "skipped": [
            "polygons": check.skipped.polygons, "lines": check.skipped.lines,
            "points": check.skipped.points,
          ] as JSONObject,
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
    guard !set.photos.isEmpty else { throw set.noPhotos(in: folder) }
    // Report unreadable folders, because their buildings would otherwise seem to have no photos.
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
      let skipped =
        check.skipped.text.map { "; skipped \($0) as neither building nor boundary" } ?? ""
      return
        "\(VisibleText.line(campus)): no problems; fence with \(parts[0]), \(parts[1])\(skipped)"
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
  /// A finding. `subject` identifies the object with the problem, if the message does not.
  init(finding: some CheckFinding) {
    self = [
      "kind": finding.kind, "severity": finding.isAdvice ? "advice" : "fault",
      "subject": (finding as? GuideFinding)?.subject, "message": finding.message,
    ]
  }
}

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

  /// Reads the map of a command that also works without one.
  static func optionalCampus(_ path: String) throws -> Campus {
    do {
      return try campus(path)
    } catch let error as FileError where error.isMissing {
      throw TrainingError.nothingFound("\(error); leave out --campus if you have no map")
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
  static let noBuildings = "the map has no buildings; run cupola campus check to see why"

  /// Returns a note that lists the buildings that were matched with labels by name; `nil` if there are none.
  static func note(_ matching: LabelMatching?) -> String? {
    guard let joined = matching?.joined, !joined.isEmpty else { return nil }
    return "matched with the map: "
      + FigureText.list(joined.map { "\($0.building.name) is \($0.label)" })
  }

  static func warnings(_ model: Model, _ matching: LabelMatching?) -> [String] {
    guard let campus = model.campus else { return [] }
    if campus.buildings.isEmpty { return [noBuildings] }
    let labels = model.labels.buildings.map { model.labels.names[$0] }
    let doubtful = (matching?.doubtful ?? []).filter { labels.contains($0.label) }
    let missing = labels.filter { campus.building(labeled: $0) == nil }
    var warnings: [String] = []
    if !doubtful.isEmpty {
      warnings.append(
        "possibly the same building: "
          + FigureText.list(doubtful.map { "\($0.label) and \($0.title) on the map" })
          + "; set this label on the map, or rename the folder")
    }
    if missing.count == labels.count, labels.count > 1 {
      warnings.append(
        "none of the labels is on the map; set each building's label, ID or name to its folder name"
      )
    } else {
      let others = missing.filter { label in !doubtful.contains { $0.label == label } }
      if others.count == 1 {
        warnings.append(
          "\(others[0]) is not on the map; add a building with this label, ID or name")
      } else if !others.isEmpty {
        warnings.append(
          "\(others.count) labels are not on the map: \(FigureText.list(others)); add buildings with these labels, "
            + "IDs or names")
      }
    }
    return warnings
  }
}
