import AVFoundation
import CoreGraphics
import CoreVideo
import Cupola
import Foundation
import VideoToolbox

// 1. Start the rear camera. The preview shows all 30 frames per second.
// 2. Recognize frames on a separate queue at the rate that `FramePacer` allows, and drop the other frames.
// 3. Keep the last frame, so that the user can look at it.

/// The rear camera and the recognizer of its frames.
// New projects of Xcode 26 isolate types to the main actor by default, but these frames are not on it.
nonisolated final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable
{
  /// A frame as an upright image for the model, and as it comes from the camera for the screen.
  struct Still: @unchecked Sendable {
    let image: RGBImage
    let picture: CGImage
  }

  let session = AVCaptureSession()
  /// The phone's position, written on one queue and read on another.
  let place = Place()

  private let queue = DispatchQueue(label: "frames")
  // Accessed only on the queue once the camera runs.
  private var live: LiveRecognizer?
  private var pacer = FramePacer()
  private var last: CVPixelBuffer?
  private var show: (@Sendable (LiveAnswer, [Candidate]) -> Void)?

  final class Place: @unchecked Sendable {
    private let lock = NSLock()
    private var place: (Position?, Heading?) = (nil, nil)

    func set(_ position: Position?, _ heading: Heading?) {
      lock.withLock { place = (position, heading) }
    }

    var last: (position: Position?, heading: Heading?) { lock.withLock { place } }
  }

  /// - Returns: Whether the device has a rear camera.
  func start(
    _ live: LiveRecognizer, show: @escaping @Sendable (LiveAnswer, [Candidate]) -> Void
  ) -> Bool {
    guard
      let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back),
      let input = try? AVCaptureDeviceInput(device: device), session.canAddInput(input)
    else { return false }
    self.live = live
    self.show = show
    let output = AVCaptureVideoDataOutput()
    output.alwaysDiscardsLateVideoFrames = true
    output.setSampleBufferDelegate(self, queue: queue)
    session.beginConfiguration()
    session.sessionPreset = .vga640x480
    session.addInput(input)
    session.addOutput(output)
    session.commitConfiguration()
    queue.async { self.session.startRunning() }
    return true
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sample: CMSampleBuffer,
    from connection: AVCaptureConnection
  ) {
    guard let buffer = CMSampleBufferGetImageBuffer(sample) else { return }
    last = buffer
    let time = ProcessInfo.processInfo.systemUptime
    setPace()
    guard pacer.takes(at: time) else { return }
    let (position, heading) = place.last
    // The phone is held upright.
    let answer = try? live?.update(
      buffer, orientation: .right, at: position, heading: heading, time: time)
    pacer.finished(at: ProcessInfo.processInfo.systemUptime, startedAt: time)
    guard let answer, let live else { return }
    show?(answer, live.candidates().map { Candidate(label: $0.label, probability: $0.probability) })
  }

  /// Returns the last frame; `nil` if there is none.
  func still() async -> Still? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.lastStill) }
    }
  }

  private var lastStill: Still? {
    var picture: CGImage?
    guard let last, let image = RGBImage(last, orientation: .right) else { return nil }
    _ = VTCreateCGImageFromCVPixelBuffer(last, options: nil, imageOut: &picture)
    return picture.map { Still(image: image, picture: $0) }
  }

  private func setPace() {
    let device = ProcessInfo.processInfo
    pacer.savesBattery = device.isLowPowerModeEnabled
    pacer.heat =
      switch device.thermalState {
      case .nominal: .nominal
      case .fair: .fair
      case .serious: .serious
      default: .critical
      }
  }
}
