/// Labels that other systems, other programs or people would mistake, and folders that are passed over.
enum LabelNameRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let labels = LabelClash.distinct(material.set.photos.map(\.label))
    let odd = labels.compactMap { label in
      problem(with: label).map { CheckFinding.Item(label, $0) }
    }
    let reserved = Trainer.ownLabels.intersection(labels).sorted()
    return finding(
      .labelClash, clashes(labels), { "\($0) that differ only in case, accents' bytes or blanks" },
      advice: "they are one folder on other systems; rename or join them", noun: "label")
      + finding(
        .reservedLabel, reserved.map { CheckFinding.Item($0) },
        { "\($0) that Cupola keeps for itself" },
        advice: "rename the folder, or the label in the table", noun: "label")
      + finding(
        .oddLabel, odd, { "\($0) with an odd name" },
        advice: "rename the folder; the map's names are what people read", noun: "label")
      + finding(
        .hiddenFolder, material.hiddenFolders.map { CheckFinding.Item($0) },
        { "\($0) with hidden names" }, advice: "they are passed over; nothing to do",
        noun: "folder")
  }

  private static func clashes(_ labels: [String]) -> [CheckFinding.Item] {
    LabelClash.groups(of: labels).flatMap { names in
      names.dropFirst().map { CheckFinding.Item($0, "like \"\(names[0])\"") }
    }.sorted { $0.name < $1.name }
  }

  private static func problem(with label: String) -> String? {
    let scalars = label.unicodeScalars
    if label.trimmed != label { return "blanks at an end" }
    if scalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "control characters"
    }
    if scalars.contains(where: { (0x300...0x36F).contains($0.value) }) {
      return "accents as characters of their own (not NFC)"
    }
    if scalars.contains(where: { "/\\:*?\"<>|".unicodeScalars.contains($0) }) {
      return "one of / \\ : * ? \" < > |, which other systems do not allow"
    }
    let stem = label.prefix { $0 != "." }.lowercased()
    let devices = ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] }
    if devices.contains(stem) { return "a name that Windows reserves" }
    if Split(rawValue: label.lowercased()) != nil {
      return "the name of a part; label folders belong inside train, val and test"
    }
    return label.hasSuffix(".") ? "a dot at the end" : nil
  }
}
