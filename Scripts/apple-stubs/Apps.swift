// The parts of CoreLocation that Cupola uses, and the parts of app frameworks that Examples/CampusLens uses. Each part
// is a separate module, compiled with -D MODULE. SwiftUI.swift has the views.

#if CoreLocation
  public import Foundation

  public struct CLLocationCoordinate2D: Sendable {
    public var latitude: Double
    public var longitude: Double
    public init(latitude: Double, longitude: Double) { fatalError() }
  }

  open class CLLocation {
    /// Invalid if `horizontalAccuracy` is negative.
    open var coordinate: CLLocationCoordinate2D { fatalError() }
    open var horizontalAccuracy: Double { fatalError() }
    open var timestamp: Date { fatalError() }
  }

  open class CLHeading {
    /// Degrees; negative if unknown.
    open var trueHeading: Double { fatalError() }
    open var magneticHeading: Double { fatalError() }
    /// The error of the magnetic heading in degrees; negative if invalid.
    open var headingAccuracy: Double { fatalError() }
  }

  // The parts that Examples/CampusLens uses.

  public protocol CLLocationManagerDelegate: AnyObject {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  }

  open class CLLocationManager {
    public init() {}
    open weak var delegate: (any CLLocationManagerDelegate)?
    open var pausesLocationUpdatesAutomatically = true
    open var headingFilter = 1.0
    open func requestWhenInUseAuthorization() {}
    open func startUpdatingLocation() {}
    open func startUpdatingHeading() {}
  }
#endif

#if AVFoundation
  // The parts of AVFoundation and CoreMedia that Examples/CampusLens uses.

  public import CoreVideo
  public import Foundation
  public import UIKit

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
    open var alwaysDiscardsLateVideoFrames: Bool {
      get { fatalError() }
      set {}
    }
    open func setSampleBufferDelegate(
      _ delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue: DispatchQueue?
    ) {}
  }

  open class AVCaptureSession {
    public struct Preset: Sendable { public static var vga640x480: Preset { .init() } }
    public init() {}
    open var sessionPreset: Preset {
      get { fatalError() }
      set {}
    }
    open func canAddInput(_ input: AVCaptureInput) -> Bool { fatalError() }
    open func addInput(_ input: AVCaptureInput) {}
    open func addOutput(_ output: AVCaptureOutput) {}
    open func beginConfiguration() {}
    open func commitConfiguration() {}
    open func startRunning() {}
  }

  @MainActor open class AVCaptureVideoPreviewLayer: CALayer {
    open var session: AVCaptureSession?
  }

  open class CMSampleBuffer {}
  public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVPixelBuffer? {
    fatalError()
  }
#endif

#if UIKit
  // The parts of UIKit and QuartzCore that Examples/CampusLens uses.

  public import CoreGraphics
  public import Foundation

  @MainActor open class CALayer {
    public init() {}
    open var frame: CGRect {
      get { fatalError() }
      set {}
    }
    open func addSublayer(_ layer: CALayer) {}
  }

  @MainActor open class UIView {
    public init(frame: CGRect) {}
    open var layer: CALayer { fatalError() }
    open var bounds: CGRect { fatalError() }
    open func layoutSubviews() {}
  }

  public final class UIImage: Sendable {
    public init?(data: Data) { return nil }
  }

  @MainActor open class UIApplication {
    public static let openSettingsURLString = ""
  }
#endif

#if Observation
  // The interface that the code of the macro uses. The toolchain contains the macro.

  public protocol Observable {}

  @attached(
    member, names: named(_$observationRegistrar), named(access), named(withMutation),
    named(shouldNotifyObservers))
  @attached(memberAttribute)
  @attached(extension, conformances: Observable)
  public macro Observable() =
    #externalMacro(module: "ObservationMacros", type: "ObservableMacro")

  @attached(accessor, names: named(init), named(get), named(set), named(_modify))
  @attached(peer, names: prefixed(_))
  public macro ObservationTracked() =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

  @attached(accessor)
  public macro ObservationIgnored() =
    #externalMacro(module: "ObservationMacros", type: "ObservationIgnoredMacro")

  public struct ObservationRegistrar: Sendable {
    public init() {}
    public func access<Subject: Observable, Member>(
      _ subject: Subject, keyPath: KeyPath<Subject, Member>
    ) {}
    public func willSet<Subject: Observable, Member>(
      _ subject: Subject, keyPath: KeyPath<Subject, Member>
    ) {}
    public func didSet<Subject: Observable, Member>(
      _ subject: Subject, keyPath: KeyPath<Subject, Member>
    ) {}
    public func withMutation<Subject: Observable, Member, Result>(
      of subject: Subject, keyPath: KeyPath<Subject, Member>, _ change: () throws -> Result
    ) rethrows -> Result { try change() }
  }
#endif
