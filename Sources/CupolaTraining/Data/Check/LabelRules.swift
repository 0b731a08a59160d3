internal import Cupola

/// Labels that a classifier does not believe.
enum SuspectRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let items = (material.validation?.suspects ?? []).map { suspect in
      let photo = material.photos[suspect.photo]
      return CheckFinding.Item(
        photo.name,
        "looks like \(suspect.label) (\(Int((100 * suspect.probability).rounded(.down))) %)")
    }
    return finding(
      .suspectLabel, items, { "\($0) perhaps under a wrong label" },
      advice: "look at them: move those that are wrong, keep the others")
  }
}

/// How many labels and photos there are.
enum AmountRule: CheckRule {
  private static let few = PhotoAmount.enough
  private static let imbalance = 10

  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let asked = Set(
      material.set.photos.filter { $0.split != .testUnknown }.map(\.label))
    let usable = Dictionary(grouping: material.photos, by: \.label).mapValues(\.count)
    let lost = asked.filter { usable[$0] == nil }.sorted()
    let buildings = material.buildings.mapValues(\.count).sorted { $0.key < $1.key }
    let scarce = buildings.filter { $0.value < few }
    var findings: [CheckFinding] = []
    if buildings.isEmpty {
      findings.append(
        CheckFinding(
          kind: .tooFewLabels, message: "no building has usable photos",
          advice: "add a folder for each building", items: []))
    } else if buildings.count == 1 {
      findings.append(
        CheckFinding(
          kind: .oneBuilding, message: "only one building, \(buildings[0].key)",
          advice: "add folders of others: a model of one knows no other to tell it from", items: [])
      )
    }
    findings += finding(
      .labelWithoutPhotos, lost.map { CheckFinding.Item($0) }, { "\($0) without a usable photo" },
      advice: "add photos or remove the folder", noun: "label")
    findings += finding(
      .fewPhotos, scarce.map { CheckFinding.Item($0.key, FigureText.count($0.value, "photo")) },
      { "\($0) with fewer than \(few) photos" },
      advice: "take at least \(few) of each, from several sides and on two days", noun: "building")
    findings += spread(buildings)
    if !buildings.isEmpty, !asked.contains(where: Labels.isBackground) {
      findings.append(
        CheckFinding(
          kind: .noBackground, message: "no photos of things that are no buildings",
          advice:
            "add folders such as _street, _indoor, _landscape, _people, _object, or train with "
            + "--negatives",
          items: []))
    }
    return findings
  }

  private static func spread(_ buildings: [(key: String, value: Int)]) -> [CheckFinding] {
    guard let least = buildings.min(by: { $0.value < $1.value }),
      let most = buildings.max(by: { $0.value < $1.value }),
      most.value >= imbalance * least.value
    else { return [] }
    return [
      CheckFinding(
        kind: .imbalance,
        message:
          "\(most.key) has \(FigureText.count(most.value, "photo")), \(least.key) \(least.value)",
        advice: "labels are weighed alike in training; more photos of the rare ones help",
        items: [])
    ]
  }
}

/// Whether a label's photos are of more than one day or session.
enum SessionRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let items = material.buildings.sorted { $0.key < $1.key }.filter { label, photos in
      photos.count > 1 && sessions(photos) == 1
    }.map { CheckFinding.Item($0.key, FigureText.count($0.value.count, "photo")) }
    return finding(
      .oneSession, items, { "\($0) photographed in one session only" },
      advice:
        "take some on another day and in another light: else nothing tells how they are named then",
      noun: "building")
  }

  /// Named sessions, or days; `nil` where neither is known.
  private static func sessions(_ photos: [CheckedPhoto]) -> Int? {
    let named = photos.compactMap(\.traits.photo.namedSession)
    if named.count == photos.count { return Set(named).count }
    return CaptureTime.days(photos.map(\.traits.metadata.capture))
  }
}
