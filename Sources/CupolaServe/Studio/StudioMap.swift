#if Serve
  internal import CupolaCampus
  internal import CupolaGuideBuilder
  internal import CupolaTraining

  // 1. Read the project's map, and match its buildings to the folders of photos.
  // 2. Convert a dropped map to GeoJSON.
  // 3. Replace the map as one change: a new map, another fence, or another label.

  /// The map of a project.
  struct StudioMap: Sendable {
    let version: String
    /// `nil` if the file cannot be used, for the reason in ``problem``.
    let campus: Campus?
    let problem: String?

    /// Returns `nil` if the project has no map.
    init?(_ folder: StudioFolder) {
      let path = folder[StudioFolder.map]
      version = Directory.version(of: path)
      do {
        campus = try Campus(geoJSON: try FileAccess.read(path, limit: Campus.fileLimit))
        problem = nil
      } catch {
        if (error as? FileError)?.isMissing == true { return nil }
        (campus, problem) = (nil, folder.message("\(error)"))
      }
    }

    func matching(_ labels: [String]) -> LabelMatching? {
      campus.map { LabelMatching(labels, $0.buildings) }
    }

    func building(_ label: String, _ matching: LabelMatching?) -> Building? {
      campus?.building(labeled: label)
        ?? matching?.joined.first { $0.label == label }?.building
    }

    func json(_ labels: [String], _ matching: LabelMatching?) -> JSONObject {
      let unmatched = labels.filter { !$0.hasPrefix("_") && building($0, matching) == nil }
      func rings(_ polygons: [Polygon]) -> [[[Double]]] {
        polygons.compactMap(\.rings.first).map { $0.map { [$0.longitude, $0.latitude] } }
      }
      return [
        "file": StudioFolder.map, "problem": problem,
        "buildings": (campus?.buildings ?? []).map { building -> JSONObject in
          [
            "label": building.label, "name": building.name,
            "outline": rings(building.footprint).first,
            "center": building.position.map { [$0.longitude, $0.latitude] },
          ]
        },
        "fence": rings(campus?.geofence.polygons ?? []), "unmatched": unmatched,
        "suggested": (matching?.doubtful ?? []).map { pair -> JSONObject in
          ["label": pair.label, "building": pair.building.label, "name": pair.building.name]
        },
      ]
    }

    /// Converts GeoJSON, Overpass JSON, a table or a zipped IMDF map.
    static func converted(_ bytes: [UInt8], path: String) throws(StudioProblem) -> Campus {
      do throws(CampusError) { return try Campus(completing: bytes) } catch {
        if let map = try? GuideMap(reading: [path]),
          let campus = try? Campus(completing: map.campusMap)
        {
          return campus
        }
        throw StudioProblem("\(error)")
      }
    }
  }

  extension StudioProject {
    private static let shownProblems = 5

    /// Carries out `POST /api/map`.
    func replaceMap(_ bytes: [UInt8], named name: String) throws -> JSONObject {
      let batch = newBatch()
      let path = folder[batch] + "/map"
      try Directory.createAll(folder[batch])
      try FileAccess.write(bytes, to: path)
      defer { Directory.remove(path) }
      let campus = try StudioMap.converted(bytes, path: path)
      try write(campus, in: batch, "Use the map \(VisibleText.line(name))")
      let problems = CampusCheck(geoJSON: campus.geoJSON()).findings.map(\.message)
      let rest = problems.count - Self.shownProblems
      return [
        "buildings": campus.buildings.count,
        "problems": problems.prefix(Self.shownProblems)
          + (rest > 0 ? ["and \(FigureText.count(rest, "more problem"))"] : []),
      ]
    }

    func removeMap() throws {
      guard folder.exists(StudioFolder.map) else { return }
      let target = trashFolder() + "/" + StudioFolder.map
      try commit("Remove the map", [RenameJournal.Move(from: StudioFolder.map, to: target)])
    }

    /// Carries out `POST /api/fence`.
    func drawFence(_ request: JSONValue) throws {
      let rings = (request["rings"]?.elements ?? []).map { ring in
        ring.elements.map { $0.elements.compactMap(\.double) }
      }
      guard rings.allSatisfy({ $0.count > 2 && $0.allSatisfy { $0.count == 2 } })
      else { throw StudioProblem("a fence needs at least 3 corners") }
      if rings.isEmpty, map?.campus?.buildings.isEmpty ?? true { return try removeMap() }
      try edit(rings.isEmpty ? "Remove the fence" : "Draw the fence") {
        campus throws(CampusError) in
        try Campus.fencing(campus, with: rings)
      }
    }

    /// Carries out `POST /api/match`: gives a building on the map the label of a folder.
    func match(_ request: JSONValue) throws {
      guard let label = request["label"]?.text, let building = request["building"]?.text,
        let name = map?.campus?.building(labeled: building)?.name,
        !index.photos(in: label, on: .photos).isEmpty
      else { throw StudioProblem("choose a folder and a building on the map", .missing) }
      guard map?.campus?.building(labeled: label) == nil || label == building else {
        throw StudioProblem(
          "\(label) is already a building on the map; rename the folder", .conflict)
      }
      try edit("Match \(label) with \(name)") { campus throws(CampusError) in
        try campus?.relabeling(building, as: label)
      }
    }

    private func edit(
      _ title: String, _ change: (Campus?) throws(CampusError) -> Campus?
    ) throws {
      scan(now: true)
      if let problem = map?.problem {
        throw StudioProblem("\(StudioFolder.map): \(problem); remove the map first", .conflict)
      }
      let campus: Campus?
      do throws(CampusError) { campus = try change(map?.campus) } catch {
        throw StudioProblem("\(error)")
      }
      if let campus { try write(campus, in: newBatch(), title) }
    }

    private func write(_ campus: Campus, in batch: String, _ title: String) throws {
      let new = batch + "/" + StudioFolder.map
      try Directory.createAll(folder[batch])
      try FileAccess.write(campus.geoJSON(), to: folder[new])
      var moves = [RenameJournal.Move(from: new, to: StudioFolder.map)]
      if folder.exists(StudioFolder.map) {
        let old = trashFolder() + "/" + StudioFolder.map
        moves.insert(RenameJournal.Move(from: StudioFolder.map, to: old), at: 0)
      }
      try commit(title, moves)
    }
  }
#endif
