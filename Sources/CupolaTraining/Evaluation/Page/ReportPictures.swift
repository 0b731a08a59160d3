#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

public import Cupola

/// Small pictures of photos for a page, made only of those that it shows.
///
/// They are encoded anew: nothing of the photo's file, such as its place, comes with them.
public struct ReportPictures: Sendable {
  /// A picture with a caption, drawn in the place of a photo.
  public struct Drawing: Sendable {
    let picture: RGBImage
    let caption: String

    /// A picture and what there is to say of it.
    public init(picture: RGBImage, caption: String) {
      self.picture = picture
      self.caption = caption
    }
  }

  /// How photos are decoded.
  public var decoder = PhotoDecoder()
  /// Photos worked on at a time.
  public var threads = 1
  /// Draws what the model looked at in a photo, where somebody can; otherwise the photo is shown.
  public var overlay: (@Sendable (_ photo: [UInt8], _ answer: Evaluation.Answer) -> Drawing?)?

  /// Plain photos, decoded strictly.
  public init() {}

  /// A picture as a page has it.
  struct Embedded: Sendable {
    /// `data:image/jpeg;base64,...`
    let source: String
    let width: Int
    let height: Int
    let caption: String?
  }

  /// How large and how fine a picture is.
  enum Size: Sendable {
    /// In a cell's list of photos.
    case small
    /// Of a mistake.
    case large

    /// Pixels along the longer side.
    var side: Int { self == .small ? 152 : 360 }
    var quality: Int { self == .small ? 55 : 68 }
  }

  /// Pictures of some answers, in their order; `nil` for a photo that is gone.
  func embedded(_ answers: [Evaluation.Answer], size: Size) async -> [Embedded?] {
    await parallelMap(answers, threads: threads) { embedded($0, size) }
  }

  private func embedded(_ answer: Evaluation.Answer, _ size: Size) -> Embedded? {
    guard let bytes = try? answer.photo.bytes(limit: decoder.limits.bytes) else { return nil }
    let drawing = size == .large ? overlay?(bytes, answer) : nil
    let photo = try? decoder.image(
      from: bytes, minimumWidth: size.side, minimumHeight: size.side)
    guard let image = drawing?.picture ?? photo else { return nil }
    let scale = min(1, Double(size.side) / Double(max(image.width, image.height)))
    let width = max(1, Int((Double(image.width) * scale).rounded()))
    let height = max(1, Int((Double(image.height) * scale).rounded()))
    let small = AreaResampler.resize(
      image, region: Region(x: 0, y: 0, width: image.width, height: image.height), width: width,
      height: height)
    guard let jpeg = try? JPEGEncoder.encode(small, quality: size.quality) else { return nil }
    return Embedded(
      source: "data:image/jpeg;base64," + Data(jpeg).base64EncodedString(), width: width,
      height: height, caption: drawing?.caption)
  }
}
