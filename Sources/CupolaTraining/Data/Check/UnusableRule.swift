internal import Cupola

/// Files that cannot be used, and why.
enum UnusableRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    func items(_ kind: CheckFinding.Kind) -> [CheckFinding.Item] {
      material.unusable.filter { self.kind(of: $0.reason) == kind }
        .map { CheckFinding.Item($0.name, $0.message) }
    }
    return finding(
      .unreadable, items(.unreadable), { "\($0) cannot be read" },
      advice: "correct the table or the rights, or copy them again")
      + finding(
        .truncated, items(.truncated), { "\($0) cut short" },
        advice: "copy them again, or accept them with --lenient")
      + finding(
        .damaged, items(.damaged), { "\($0) damaged or of a size that is not accepted" },
        advice: "copy or export them again")
      + finding(
        .notJPEG, items(.notJPEG), { "\($0) not in JPEG, whatever the name says" },
        advice: "convert or remove them as said")
      + finding(
        .leftOut, items(.leftOut), { "\($0) or folders where none is looked for" },
        advice: "move or rename them as said")
  }

  private static func kind(of reason: SkippedFile.Reason) -> CheckFinding.Kind {
    switch reason {
    case .unusable(.truncatedPhoto): .truncated
    case .unusable(.unsupportedFormat): .notJPEG
    case .unusable(.file(.cannotRead)): .unreadable
    case .unusable, .told: .damaged
    case .nameNotUTF8, .outsideLabelFolder, .besidePartFolders: .leftOut
    }
  }
}
