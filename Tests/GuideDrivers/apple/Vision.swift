// swift-format-ignore-file
// Stubs of the Vision API that the guide uses, written after Apple's documentation.
public import CoreML
import Foundation
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
  public fileprivate(set) var results: [VNObservation]?

  public init(model: VNCoreMLModel) {}
}

public final class VNImageRequestHandler {
  /// Not part of Apple's API: the model's answers and the last image.
  nonisolated(unsafe) public static var answers: [VNClassificationObservation] = []
  nonisolated(unsafe) public static var seen = CGImage()

  private let image: CGImage

  public init(cgImage: CGImage, orientation: CGImagePropertyOrientation) {
    image = cgImage
  }

  public func perform(_ requests: [VNCoreMLRequest]) throws {
    for request in requests {
      guard request.imageCropAndScaleOption == .scaleFill else {
        throw CocoaError(.featureUnsupported)
      }
      Self.seen = image
      request.results = Self.answers
    }
  }
}
