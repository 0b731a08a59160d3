internal import Cupola

/// Photos that show little: small, blurred, dark or bright.
///
/// Of 1,900 real photos of the sets that this was made with none is called blurred, dark or bright; of the
/// same photos blurred by a 128th of their side all are.
enum QualityRule: CheckRule {
  private static let leastSide = 200
  private static let leastSharpness = 0.02
  private static let darkest = 60
  private static let brightest = 190

  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let photos = material.photos
    func items(_ matches: (CheckedPhoto) -> Bool) -> [CheckFinding.Item] {
      photos.filter(matches).map { CheckFinding.Item($0.name) }
    }
    let small = photos.filter { min($0.width, $0.height) < leastSide }
    return finding(
      .blurred,
      items {
        min($0.width, $0.height) >= leastSide && $0.light.sharpness ?? 0 < leastSharpness
          && $0.light.bright - $0.light.dark > 20
      }, { "\($0) blurred" }, advice: "take them again, and leave these out")
      + finding(
        .tooSmall, small.map { CheckFinding.Item($0.name, "\($0.width)x\($0.height) pixels") },
        { "\($0) smaller than \(leastSide) pixels" }, advice: "use the originals, not thumbnails")
      + finding(
        .tooDark, items { $0.light.bright < darkest }, { "\($0) nearly black" },
        advice: "leave them out, or take them again with more light")
      + finding(
        .tooBright, items { $0.light.dark > brightest }, { "\($0) nearly white" },
        advice: "leave them out, or take them again with less light")
  }
}

/// How photos are stored, where other programs may stumble.
enum StorageRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    let photos = material.photos
    let colors = photos.filter { $0.components != 3 }.map { photo in
      CheckFinding.Item(photo.name, photo.components == 1 ? "gray" : "CMYK")
    }
    let turned = photos.filter { $0.traits.metadata.orientation != .up }.map { photo in
      CheckFinding.Item(photo.name, "orientation \(photo.traits.metadata.orientation.rawValue)")
    }
    let damaged = photos.filter { !$0.traits.metadata.faults.isEmpty }.map { photo in
      CheckFinding.Item(
        photo.name, photo.traits.metadata.faults.map { "\($0)" }.joined(separator: "; "))
    }
    return finding(
      .colors, colors, { "\($0) gray or CMYK" },
      advice: "they can be used; color photos tell more, and CMYK is converted without its profile"
    )
      + finding(
        .orientation, turned, { "\($0) stored turned or mirrored" },
        advice: "they are turned by their EXIF tag; keep it when you edit them")
      + finding(
        .damagedEXIF, damaged, { "\($0) with a damaged EXIF block" },
        advice: "what can be read of it is used; copy them again where place or time is missing")
  }
}
