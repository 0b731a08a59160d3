internal import Cupola

/// Photos that were not taken where their label is.
enum PlaceRule: CheckRule {
  /// Meters beyond the position's error from where a building is hardly photographed.
  private static let far = 200.0
  /// The same from the middle of a label's photos, where no map knows the building.
  private static let farFromOthers = 500.0

  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    let photos = material.buildings.values.joined().sorted { $0.name.precedes($1.name) }
    if let campus = material.campus {
      if campus.geofence.isSwapped(by: photos.compactMap(\.traits.metadata.position)) {
        return [
          CheckFinding(
            kind: .swappedMap,
            message: "the photos lie inside the fence only with latitude and longitude exchanged",
            advice: "GeoJSON puts longitude first; mend the map (cupola campus check)", items: [])
        ]
      }
      findings += finding(
        .offCampus, outside(photos, campus), { "\($0) taken off the campus" },
        advice: "check where they belong, or widen the fence")
      findings += names(material, campus)
    }
    findings += finding(
      .farFromBuilding, photos.compactMap { far($0, material) },
      { "\($0) taken far from the labeled building" },
      advice: "check their labels, and the map's places")
    return findings
  }

  private static func outside(
    _ photos: [CheckedPhoto], _ campus: Campus
  ) -> [CheckFinding.Item] {
    photos.compactMap { photo in
      guard let position = photo.traits.metadata.position,
        campus.geofence.side(of: position) == .outside
      else { return nil }
      let meters = campus.geofence.signedDistance(to: position)
      let how =
        meters.isFinite ? "\(Int(meters.rounded())) m outside the fence" : "outside the fence"
      return CheckFinding.Item(photo.name, how)
    }
  }

  private static func far(
    _ photo: CheckedPhoto, _ material: CheckMaterial
  ) -> CheckFinding.Item? {
    guard let position = photo.traits.metadata.position else { return nil }
    let error = position.assumedError
    if let building = material.campus?.building(labeled: photo.label), building.position != nil {
      guard let meters = building.distance(from: position), meters - error > far else { return nil }
      return CheckFinding.Item(
        photo.name, "\(Int(meters.rounded())) m from \(photo.label)")
    }
    guard let middle = middle(of: material.buildings[photo.label] ?? []) else { return nil }
    let meters = Geodesic(from: position, to: middle).distance
    guard meters - error > farFromOthers else { return nil }
    return CheckFinding.Item(
      photo.name, "\(Int(meters.rounded())) m from the other photos of \(photo.label)")
  }

  /// The median of the photos' places, which few strays do not move.
  private static func middle(of photos: [CheckedPhoto]) -> Position? {
    let positions = photos.compactMap(\.traits.metadata.position)
    guard positions.count > 2 else { return nil }
    return Position(
      latitude: positions.map(\.latitude).sorted()[positions.count / 2],
      longitude: positions.map(\.longitude).sorted()[positions.count / 2])
  }

  private static func names(_ material: CheckMaterial, _ campus: Campus) -> [CheckFinding] {
    let (known, photographed) = (Set(campus.buildings.map(\.label)), Set(material.buildings.keys))
    let doubtful = material.doubtful.filter { photographed.contains($0.label) }
    let unknown = photographed.subtracting(known).subtracting(doubtful.map(\.label))
    let meets = known.isEmpty || !known.isDisjoint(with: photographed)
    return finding(
      .perhapsOnMap, doubtful.map { CheckFinding.Item($0.label, "perhaps \($0.title)") },
      { "\($0) that the map perhaps knows by another name" },
      advice: "give the building this label, or the folder its name; else it competes with itself",
      noun: "label")
      + finding(
        meets ? .notOnMap : .noneOnMap, unknown.sorted().map { CheckFinding.Item($0) },
        { "\($0) that the map does not know" + (meets ? "" : ", and none that it knows") },
        advice: "give a building of the map this label, id or name", noun: "label")
      + finding(
        .withoutPhotos, known.subtracting(photographed).sorted().map { CheckFinding.Item($0) },
        { "\($0) of the map without photos" },
        advice: "add a folder of that name, if it is to be recognized", noun: "building")
  }
}
