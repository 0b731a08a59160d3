public import Cupola

/// What is known of a photo beside its label, and how long it took to answer.
public struct PhotoFacts: Equatable, Sendable {
  /// The first 16 hexadecimal digits of the file's SHA-256: finds the photo again in another report.
  public var digest = ""
  /// Columns and rows of the upright picture; 0 when nobody looked.
  public var width = 0
  /// Rows of the upright picture.
  public var height = 0
  /// `YYYY:MM:DD HH:MM:SS` in local time, by EXIF or by the column `time` of `split.csv`.
  public var captureTime: String?
  /// Where it was taken, if known.
  public var position: Position?
  /// Where the camera looked, if known.
  public var heading: Heading?
  /// Meters from there to the building that it shows; `nil` without a position or a place on the map.
  public var distance: Double?
  /// Whether place and heading took part in the answer.
  public var isPlaced = false
  /// What it has to do with a photo that trained the model; `nil` when nothing, or nobody looked.
  public var leak: TrainingOverlap.Kind?
  /// Milliseconds by stage.
  public var milliseconds: [StageTiming.Stage: Double] = [:]

  /// Nothing is known.
  public init() {}
}
