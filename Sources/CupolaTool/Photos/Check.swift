import ArgumentParser
import Cupola
import CupolaTraining

// 1. Read every photo once.
// 2. Print the problems, starting with the most serious.
// 3. Write suggestions for where to take photos next, as points or as a drawing.

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find problems in photos before training.",
    discussion: """
      Reads every photo once and changes nothing. Reports unusable files, blurred and dark photos, copies, labels that \
      may be wrong, labels with too few photos, and unusual names. With --campus, also reports photos taken elsewhere, \
      and sides of buildings that were not photographed. The most serious problems come first.

      With --model, instead compares new photos with the photos that the model held out in training: whether they are \
      recognized and rejected as often, which buildings look different, and which to photograph again. To see \
      buildings, the photos must be in folders with the labels of the buildings.

      The exit code is 65 if training would fail or its accuracy figures would be wrong, 1 if some files cannot be \
      used, and 0 otherwise.

      EXAMPLES
        cupola check photos
        cupola check photos --negatives streets
        cupola check photos --campus campus.geojson --shots next.geojson
        cupola check photos --campus campus.geojson --map photos.svg
        cupola check new --model campus.safetensors
      """)

  @Argument(help: "Photo folder, as for cupola train.", completion: .directory)
  var photos: String

  @Option(
    help: "Campus map (GeoJSON or CSV).",
    completion: .file(extensions: ["geojson", "json", "csv"]))
  var campus: String?

  @Option(
    help: "Model to compare new photos with.", completion: .file(extensions: ["safetensors"]))
  var model: String?

  @Option(help: "Folder of non-building photos.", completion: .directory)
  var negatives: String?

  @Option(
    help: "Split table to use instead of PHOTOS/split.csv.",
    completion: .file(extensions: ["csv"]))
  var split: String?

  @Option(
    help: ArgumentHelp(
      "Write suggested camera positions as GeoJSON points.", valueName: "file"))
  var shots: String?

  @Option(
    help: ArgumentHelp(
      "Draw the photos and the suggested camera positions on the map (SVG).", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var map: String?

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var tracks: TrackOptions
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, campus, model, negatives, split, shots, map])
    try ensure(
      model == nil || campus == nil && negatives == nil && tracks.track.isEmpty,
      "--model compares images only; use it without --campus, --negatives and --track")
    try OutputFile.checkIsFile(shots, as: "--shots", for: "GeoJSON points")
    try OutputFile.checkIsFile(map, as: "--map", for: "drawings")
    for (output, option) in outputs {
      try ensure(
        campus != nil, "\(option) requires --campus, which has the positions of the buildings")
      try OutputFile.check(
        output, as: option,
        isNotAmong: [campus] + OutputFile.tables(split, in: [photos, negatives]))
    }
    if let shots, let map {
      try reject(
        if: OutputFile.areSame(shots, map), "--shots and --map are the same file; choose two")
    }
  }

  private var outputs: [(path: String, option: String)] {
    [(shots, "--shots"), (map, "--map")].compactMap { path, option in path.map { ($0, option) } }
  }

  func run() async throws {
    if let model { return try await compare(with: model) }
    for output in outputs { try FileAccess.checkFolder(of: output.path) }
    let positions = try tracks.positions()
    let campus = try campus.map(MapFile.optionalCampus)
    let (own, others) = try tables.sets(in: photos, split: split, negatives: negatives)
    let set = others.map(own.joined) ?? own
    for (output, option) in outputs {
      try OutputFile.check(output, as: option, isNotAmong: set.photos.map { $0.path })
    }
    let checking = Progress("checking", total: set.photos.count, quiet: common.quiet)
    let comparing = Progress("comparing", total: set.photos.count, quiet: common.quiet)
    let check = try await DatasetCheck(
      of: set, campus: campus, decoder: common.decoder.locating(by: positions),
      threads: common.threads,
      progress: { checking.update($0) }, comparing: { comparing.update($0) })
    let report = CheckReport(check, folder: photos)
    if json {
      try Console.print(json: report)
    } else {
      Console.print(report.text(width: Console.width, shotsIn: shots))
    }
    if let positions { Console.note(positions.summary) }
    if let note = MapMessages.note(check.labelMatching) { Console.note(note) }
    try write(report)
    if check.worst == .error { throw ExitStatus.badData }
    if check.findings.contains(where: \.kind.isUnusable) { throw ExitStatus.someFailed }
  }

  private func write(_ report: CheckReport) throws {
    if let shots {
      let points = try JSONObject.text(report.shotPoints, pretty: true)
      try FileAccess.write(Array((points + "\n").utf8), to: shots)
      Console.note("shots: \(shots)")
    }
    if let map, let drawing = CheckMap(report) {
      try FileAccess.write(Array(drawing.svg.utf8), to: map)
      Console.note("map: \(map)")
    }
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
