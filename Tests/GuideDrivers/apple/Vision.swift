// swift-format-ignore-file
// Stubs of the Vision API that the guide uses, written after Apple's documentation.
public import CoreML
public import Foundation
public import ImageIO

public enum VNImageCropAndScaleOption { case centerCrop, scaleFit, scaleFill }

public class VNObservation {}

public final class VNClassificationObservation: VNObservation {
  public let identifier: String
  public let confidence: Float

  /// Not part of Apple's API.
  public init(_ identifier: String, _ confidence: Float) {
    (self.identifier, self.confidence) = (identifier, confidence)
  }
}

public final class VNCoreMLModel {
  public init(for model: MLModel) throws {}
}

public final class VNCoreMLRequest {
  public var imageCropAndScaleOption = VNImageCropAndScaleOption.centerCrop
  /// Fractions of the photo, with the origin at the lower left corner.
  public var regionOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
  public fileprivate(set) var results: [VNObservation]?

  public init(model: VNCoreMLModel) {}
}

public final class VNImageRequestHandler {
  /// Not part of Apple's API: the model's answers and the photo region of the last request.
  nonisolated(unsafe) public static var answers: [VNClassificationObservation] = []
  nonisolated(unsafe) public static var part: [Double] = []

  private let orientation: CGImagePropertyOrientation

  public init(cgImage: CGImage, orientation: CGImagePropertyOrientation) {
    self.orientation = orientation
  }

  public convenience init(url: URL) { self.init(cgImage: CGImage(), orientation: .up) }

  public func perform(_ requests: [VNCoreMLRequest]) throws {
    for request in requests {
      guard orientation == .right else { throw CocoaError(.featureUnsupported) }
      let region = request.regionOfInterest
      var (width, height) = (400 * region.width, 300 * region.height)
      var (x, y) = (400 * region.minX, 300 * (1 - region.maxY))
      if request.imageCropAndScaleOption == .centerCrop {
        let edge = min(width, height)
        (x, y) = (x + (width - edge) / 2, y + (height - edge) / 2)
        (width, height) = (edge, edge)
      }
      Self.part = [x, y, width, height]
      request.results = Self.answers
    }
  }
}
