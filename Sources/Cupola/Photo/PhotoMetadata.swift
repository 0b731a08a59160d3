public import CupolaCampus

/// What a photo's EXIF block says about how, where and when it was taken.
public struct PhotoMetadata: Equatable, Sendable {
  /// How to turn the stored pixels upright; `.up` when EXIF is silent.
  public var orientation = Orientation.up
  /// Where the camera was, with its error when the phone wrote one.
  public var position: Position?
  /// Where the camera looked.
  public var heading: Heading?
  /// `DateTimeOriginal` as written, `YYYY:MM:DD HH:MM:SS` in local time.
  public var captureTime: String?
  /// `OffsetTimeOriginal` as written, such as `+02:00`.
  public var captureTimeOffset: String?
  /// The focal length that shows as much on 35 mm film, in millimeters.
  public var focalLength: Double?
  /// Parts of the block that could not be read and were left out.
  public var faults: [EXIFFault] = []

  /// Metadata of a picture that carries none.
  public init() {}
}

/// A part of an EXIF block that is wrong.
public enum EXIFFault: Equatable, Sendable {
  /// The block does not start with a TIFF header.
  case notTIFF
  /// A directory or value lies outside the block, or a directory refers to itself.
  case badOffset(Int)
  /// A tag holds a value of another type, or out of its range.
  case badValue(tag: UInt16)
}
