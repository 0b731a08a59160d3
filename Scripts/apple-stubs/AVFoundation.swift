// What Examples/CampusLens uses of AVFoundation and CoreMedia.

public import CoreVideo
public import Foundation

public struct AVMediaType: Sendable { public static var video: AVMediaType { .init() } }

open class AVCaptureDevice {
  public struct DeviceType: Sendable {
    public static var builtInWideAngleCamera: DeviceType { .init() }
  }
  public enum Position: Sendable { case back, front }
  public static func requestAccess(for type: AVMediaType) async -> Bool { fatalError() }
  public static func `default`(
    _ type: DeviceType, for media: AVMediaType?, position: Position
  ) -> AVCaptureDevice? { fatalError() }
}

open class AVCaptureInput {}
open class AVCaptureDeviceInput: AVCaptureInput {
  public init(device: AVCaptureDevice) throws { fatalError() }
}

open class AVCaptureOutput { public init() {} }
open class AVCaptureConnection {}

public protocol AVCaptureVideoDataOutputSampleBufferDelegate: AnyObject {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sample: CMSampleBuffer,
    from connection: AVCaptureConnection)
}

open class AVCaptureVideoDataOutput: AVCaptureOutput {
  open var alwaysDiscardsLateVideoFrames: Bool { get { fatalError() } set {} }
  open func setSampleBufferDelegate(
    _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
  ) {}
}

open class AVCaptureSession {
  public struct Preset: Sendable { public static var vga640x480: Preset { .init() } }
  public init() {}
  open var sessionPreset: Preset { get { fatalError() } set {} }
  open func canAddInput(_ input: AVCaptureInput) -> Bool { fatalError() }
  open func addInput(_ input: AVCaptureInput) {}
  open func addOutput(_ output: AVCaptureOutput) {}
  open func beginConfiguration() {}
  open func commitConfiguration() {}
  open func startRunning() {}
}

open class CMSampleBuffer {}
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVPixelBuffer? {
  fatalError()
}
