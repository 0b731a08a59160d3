import ArgumentParser
import Cupola
import CupolaTraining

/// `cupola campus check`.
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
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let check = try await check()
      if json {
        Console.print(try JSONObject.text(CampusCheckJSON(check, campus), pretty: true))
      } else {
        Console.print(text(check))
      }
      if check.findings.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
    }
  }

  private func check() async throws -> CampusCheck {
    let photos = try await facts()
    do {
      return CampusCheck(geoJSON: try MapFile.bytes(campus), photos: photos)
    } catch let fault as CampusError {
      return CampusCheck(unreadable: fault)
    }
  }

  /// What the photos say about the map.
  private func facts() async throws -> CampusCheck.Photos? {
    guard let folder = photos else { return nil }
    let set = try PhotoSet(root: folder, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: folder) }
    // A folder that cannot be read would seem to be a building without photos.
    ShardOptions.tell(set.skipped)
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
    return check.findings.map { finding in
      let advice = finding.isAdvice ? "advice: " : ""
      return VisibleText.line("\(campus): \(advice)\(finding.message)")
    }.joined(separator: "\n")
  }
}

/// What `cupola campus check` found: schema `cupola.campus_check/1`.
struct CampusCheckJSON: Encodable {
  let schema = "cupola.campus_check/1"
  let campus: String
  let fencePolygons: Int
  let buildings: Int
  let findings: [FindingJSON]

  private enum CodingKeys: String, CodingKey {
    case schema, campus, buildings, findings
    case fencePolygons = "fence_polygons"
  }

  init(_ check: CampusCheck, _ path: String) {
    campus = path
    fencePolygons = check.fencePolygons
    buildings = check.buildings
    findings = check.findings.map {
      FindingJSON(kind: $0.kind, isAdvice: $0.isAdvice, message: $0.message)
    }
  }
}
