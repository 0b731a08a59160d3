#if Serve
  internal import CupolaCampus
  internal import CupolaGuideBuilder
  internal import CupolaTraining

  // 1. Read the project's map, and match its buildings to the folders of photos.
  // 2. Convert a dropped map to GeoJSON, or read names from a dropped table.
  // 3. Replace the map as one change: a new map, another fence, or another label.

  /// The map of a project.
  struct StudioMap: Sendable {
    let version: String
    /// `nil` if the file cannot be used, for the reason in ``problem``. A map without a fence can be completed.
    let campus: Campus?
    let problem: String?

    /// Returns `nil` if the project has no map.
    init?(_ folder: StudioFolder) {
      let path = folder[StudioFolder.map]
      version = Directory.version(of: path)
      var bytes: [UInt8] = []
      do {
        bytes = try FileAccess.read(path, limit: Campus.fileLimit)
        campus = try Campus(geoJSON: bytes)
        problem = nil
      } catch {
        if (error as? FileError)?.isMissing == true { return nil }
        campus = try? Campus(completing: bytes)
        problem =
          campus == nil
          ? folder.message("\(error)") : "no fence, which training requires; draw one"
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

    /// Converts GeoJSON, Overpass JSON, a table or a zipped IMDF map. Completes a map without a fence.
    static func converted(
      _ bytes: [UInt8], path: String
    ) throws(StudioProblem) -> (campus: Campus, isCompleted: Bool) {
      func completed(_ bytes: [UInt8]) throws(CampusError) -> (Campus, Bool) {
        (try Campus(completing: bytes), (try? Campus(geoJSON: bytes)) == nil)
      }
      do throws(CampusError) { return try completed(bytes) } catch {
        let map = try? GuideMap(reading: [path])
        if let map, let campus = try? completed(map.campusMap) { return campus }
        guard map != nil || error == .noBoundary else { throw StudioProblem("\(error)") }
        throw StudioProblem(
          "no buildings and no fence found; use a map that contains both, or choose Draw a fence")
      }
    }
  }

  extension StudioProject {
    /// Carries out `POST /api/map`.
    func replaceMap(_ bytes: [UInt8], named name: String) throws -> JSONObject {
      let name = VisibleText.line(name)
      let named: (campus: Campus, count: Int, problems: [String])?
      do throws(CampusError) {
        named = try Campus.naming(map?.campus, by: bytes, folders: index.labels(on: .photos))
      } catch { throw StudioProblem(error.message) }
      if let named {
        let title = "\(FigureText.count(named.count, "name")) from \(name)"
        try write(named.campus, "Use \(title)")
        return ["message": title + " used", "problems": named.problems]
      }
      try upload(bytes, batch: "map", name: "map")
      let path = folder[StudioFolder.incoming + "/map/map"]
      defer { Directory.remove(path) }
      let (campus, isCompleted) = try StudioMap.converted(bytes, path: path)
      try write(campus, "Use the map \(name)")
      let count = campus.buildings.count
      let advice =
        count == 0
        ? "a fence without buildings; add a map with buildings to show them and their names"
        : FigureText.count(count, "building")
          + (isCompleted ? "; a fence was drawn 250 m around them, because the map has none" : "")
      let problems = CampusCheck(geoJSON: campus.geoJSON()).findings.map(\.message)
      return ["message": "\(name): \(advice)", "problems": problems]
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
      if let problem = map?.problem, map?.campus == nil {
        throw StudioProblem("\(StudioFolder.map): \(problem); remove the map first", .conflict)
      }
      let campus: Campus?
      do throws(CampusError) { campus = try change(map?.campus) } catch {
        throw StudioProblem("\(error)")
      }
      if let campus { try write(campus, title) }
    }

    private func write(_ campus: Campus, _ title: String) throws {
      try commit(title, try replacing(StudioFolder.map, by: campus.geoJSON()))
    }
  }
#endif
