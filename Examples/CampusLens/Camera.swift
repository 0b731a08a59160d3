import AVFoundation
import CoreGraphics
import CoreVideo
import Cupola
import Foundation
import VideoToolbox

/// Recognizes frames of the rear camera on a separate queue; frames that arrive meanwhile are dropped.
// New projects of Xcode 26 isolate types to the main actor by default, but these frames are not on it.
nonisolated final class Camera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate,
  @unchecked Sendable
{
  /// An answer with its image, which does not change after creation.
  struct Seen: @unchecked Sendable {
    let answer: LiveAnswer
    let candidates: [(label: String, probability: Double)]
    let picture: CGImage?
  }

  /// The phone's position, written on one queue and read on another.
  let place = Place()

  private let session = AVCaptureSession()
  private let queue = DispatchQueue(label: "frames")
  // Accessed only on the queue once the camera runs.
  private var live: LiveRecognizer?
  private var pacer = FramePacer()
  private var show: (@Sendable (Seen) -> Void)?

  final class Place: @unchecked Sendable {
    private let lock = NSLock()
    private var place: (Position?, Heading?) = (nil, nil)

    func set(_ position: Position?, _ heading: Heading?) {
      lock.withLock { place = (position, heading) }
    }

    var last: (position: Position?, heading: Heading?) { lock.withLock { place } }
  }

  /// - Returns: Whether the device has a rear camera.
  func start(_ live: LiveRecognizer, show: @escaping @Sendable (Seen) -> Void) -> Bool {
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
    let time = ProcessInfo.processInfo.systemUptime
    setPace()
    guard pacer.takes(at: time), let buffer = CMSampleBufferGetImageBuffer(sample) else { return }
    let (position, heading) = place.last
    // The phone is held upright.
    guard
      let answer = try? live?.update(
        buffer, orientation: .right, at: position, heading: heading, time: time)
    else { return }
    pacer.finished(at: ProcessInfo.processInfo.systemUptime, startedAt: time)
    var picture: CGImage?
    _ = VTCreateCGImageFromCVPixelBuffer(buffer, options: nil, imageOut: &picture)
    show?(Seen(answer: answer, candidates: live?.candidates() ?? [], picture: picture))
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
