internal import CupolaCampus
internal import CupolaSupport

/// The permanent identifier of an entry, which consists of a device and a number.
public struct JournalID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let device: String
  /// The number of the line that created the entry, starting with 1.
  package let number: Int

  /// Returns `nil` if the device is invalid, or if the number is not from 1 to 2^52.
  package init?(device: String, number: Int) {
    guard JournalID.isDevice(device), JournalLimits.numbers.contains(number) else { return nil }
    (self.device, self.number) = (device, number)
  }

  init(checkedDevice device: String, number: Int) {
    (self.device, self.number) = (device, number)
  }

  /// Parses an identifier in the form of ``description``.
  public init?(_ text: String) {
    guard let dash = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = text.utf8[text.utf8.index(after: dash)...]
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(Digits.isDigit),
      let number = Int(String(digits) ?? "")
    else { return nil }
    self.init(device: String(text[..<dash]), number: number)
  }

  /// Whether a text is a valid device name: 1 to 64 of the characters a-z, 0-9 and -, without - at the start or end.
  ///
  /// Each installation needs its own name, including after a backup is restored. A UUID in lowercase is suitable.
  package static func isDevice(_ text: String) -> Bool {
    let bytes = text.utf8
    let dash = UInt8(ascii: "-")
    return (1...64).contains(bytes.count) && bytes.first != dash && bytes.last != dash
      && bytes.allSatisfy {
        Digits.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == dash
      }
  }

  /// Compares by device, then by number.
  public static func < (a: JournalID, b: JournalID) -> Bool {
    (a.device, a.number) < (b.device, b.number)
  }

  /// The device, a hyphen and the number, such as `phone-12`.
  public var description: String { device + "-" + String(number) }
}

/// A photo or voice file in a journal, named by its digest.
public struct JournalMedia: Hashable, Sendable {
  /// The digest and extension: `ab...cd.jpg`.
  public let name: String

  /// Returns `nil` unless the digest is a SHA-256 in lowercase and the extension is in ``extensions``.
  package init?(digest: String, fileExtension: String) {
    self.init(name: digest + "." + fileExtension)
  }

  /// Parses a name such as `ab...cd.jpg`; rejects names with folders.
  package init?(name: String) {
    guard JournalMedia.isName(Array(name.utf8)[...]) else { return nil }
    self.name = name
  }

  init(checkedName name: String) { self.name = name }

  package var digest: String { String(name.utf8.prefix(64)) ?? "" }
  package var fileExtension: String { String(name.utf8.dropFirst(65)) ?? "" }
  /// The path in a journal or export: `media/ab/ab...cd.jpg`.
  package var path: String { JournalMedia.folder + "/" + name.prefix(2) + "/" + name }
  var isPhoto: Bool { JournalMedia.photoExtensions.contains(fileExtension) }

  static let photoExtensions = ["avif", "heic", "jpeg", "jpg", "png", "webp"]
  static let voiceExtensions = ["aac", "caf", "flac", "m4a", "mp3", "ogg", "opus", "wav"]
  /// The accepted extensions; browsers do not execute any of these.
  package static let extensions = photoExtensions + voiceExtensions

  package static let folder = "media"

  static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count > 66, bytes[bytes.startIndex + 64] == UInt8(ascii: ".") else { return false }
    return bytes.prefix(64).allSatisfy(Hex.isDigit)
      && endings.contains { bytes.dropFirst(65).elementsEqual($0) }
  }

  private static let endings = extensions.map { Array($0.utf8) }

  /// Whether the first bytes match the extension, to prevent other content from being stored as a photo.
  static func fits(_ start: some Collection<UInt8>, _ fileExtension: String) -> Bool {
    let bytes = Array(start.prefix(16))
    func has(_ text: StaticString, at place: Int = 0) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes.count >= place + wanted.count
        && Array(bytes[place..<(place + wanted.count)]) == wanted
    }
    return switch fileExtension {
    case "jpg", "jpeg": bytes.starts(with: [0xFF, 0xD8, 0xFF])
    case "png": bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    case "webp": has("RIFF") && has("WEBP", at: 8)
    case "wav": has("RIFF") && has("WAVE", at: 8)
    case "avif", "heic", "m4a": has("ftyp", at: 4)
    case "ogg", "opus": has("OggS")
    case "flac": has("fLaC")
    case "caf": has("caff")
    case "mp3": has("ID3") || isSynchronized(bytes, 0xE0)
    case "aac": isSynchronized(bytes, 0xF0)
    default: false
    }
  }

  private static func isSynchronized(_ bytes: [UInt8], _ mask: UInt8) -> Bool {
    bytes.count >= 2 && bytes[0] == 0xFF && bytes[1] & mask == mask
  }
}
