import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read every photo once.
// 2. Print what is wrong, the worst first.
// 3. Write where to take photos next.

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Looks for what is wrong with photos before they train.",
    discussion: """
      Reads every photo once and changes nothing. Finds files that cannot be used, blurred and dark \
      photos, copies, labels that are perhaps wrong, too few photos, odd names, and with --campus photos \
      taken elsewhere and sides of buildings without photos. The worst comes first.

      The exit code is 65 when training would fail or figures would be wrong, 1 when some files cannot \
      be used, and else 0, whatever advice there is.

      EXAMPLES
        cupola check photos
        cupola check photos --negatives streets
        cupola check photos --campus campus.geojson --shots next.geojson
      """)

  @Argument(help: "The folder of photos, as for cupola train.", completion: .directory)
  var photos: String

  @Option(
    help: "The map of the grounds, GeoJSON.", completion: .file(extensions: ["geojson", "json"]))
  var campus: String?

  @Option(help: "A folder of photos of things that are no buildings.", completion: .directory)
  var negatives: String?

  @Option(
    help: "A table path,label,split[,group] instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "Write where to take photos next, as GeoJSON points for a map app.", valueName: "file"))
  var shots: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, campus, negatives, split, shots])
    try OutputFile.checkIsNoStream(shots, as: "--shots", for: "shots")
    try refuse(
      if: shots != nil && campus == nil,
      "--shots needs --campus: the map says where the buildings are.")
    try OutputFile.check(
      shots, as: "--shots",
      isNoneOf: [campus] + OutputFile.tables(split, in: [photos, negatives]))
  }

  func run() async throws {
    if let shots { try FileAccess.checkFolder(of: shots) }
    let map = try campus.map(MapFile.campus)
    let (own, others) = try tables.sets(in: photos, split: split, negatives: negatives)
    let set = others.map(own.joined) ?? own
    try OutputFile.check(shots, as: "--shots", isNoneOf: set.photos.map { $0.path })
    let checking = Progress("checking", total: set.photos.count, quiet: common.quiet)
    let comparing = Progress("comparing", total: set.photos.count, quiet: common.quiet)
    let check = try await DatasetCheck(
      of: set, campus: map, decoder: common.decoder, threads: common.threads,
      progress: { checking.update($0) }, comparing: { comparing.update($0) })
    let report = CheckReport(check, folder: photos)
    if json {
      try Console.print(json: report)
    } else {
      Console.print(report.text(width: Console.width))
    }
    if let note = MapMessages.note(check.labelMatching) { Console.note(note) }
    if let shots {
      let points = try JSONObject.text(report.shotPoints, pretty: true)
      try FileAccess.write(Array((points + "\n").utf8), to: shots)
      Console.note("shots: \(shots)")
    }
    if check.worst == .error { throw ExitStatus.badData }
    if check.findings.contains(where: \.kind.isUnusable) { throw ExitStatus.someFailed }
  }
}

extension CheckReport {
  var shotPoints: JSONObject {
    let features = check.coverage.flatMap { building in
      building.shots.map { shot -> JSONObject in
        [
          "type": "Feature",
          "geometry": [
            "type": "Point", "coordinates": [shot.position.longitude, shot.position.latitude],
          ] as JSONObject,
          "properties": [
            "name": "\(building.label) from \(shot.side)", "label": building.label,
            "side": shot.side, "heading_deg": shot.heading,
          ] as JSONObject,
        ]
      }
    }
    return ["type": "FeatureCollection", "features": features]
  }
}
