// The parts of CoreLocation that Cupola uses, and the parts of app frameworks that Examples/CampusLens uses. Each part
// is a separate module, compiled with -D MODULE.

#if CoreLocation
  public import Foundation

  public struct CLLocationCoordinate2D: Sendable {
    public var latitude: Double
    public var longitude: Double
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
    open func requestWhenInUseAuthorization() {}
    open func startUpdatingLocation() {}
    open func startUpdatingHeading() {}
  }
#endif

#if AVFoundation
  // The parts of AVFoundation and CoreMedia that Examples/CampusLens uses.

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

  open class CMSampleBuffer {}
  public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVPixelBuffer? {
    fatalError()
  }
#endif

#if SwiftUI
  // The parts of SwiftUI that Examples/CampusLens uses.

  public import CoreGraphics
  public import Foundation

  public protocol ObservableObject: AnyObject {}

  @propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }

  @MainActor @propertyWrapper public struct StateObject<Value: ObservableObject> {
    public var wrappedValue: Value { fatalError() }
    nonisolated public init(wrappedValue: @autoclosure @escaping () -> Value) {}
  }

  @MainActor @propertyWrapper public struct ObservedObject<Value: ObservableObject> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  }

  @MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  extension Never: View { public var body: Never { fatalError() } }

  public protocol Primitive: View where Body == Never {}
  extension Primitive { public var body: Never { fatalError() } }

  public struct TupleView<Content>: Primitive {}
  extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

  @resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
      _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  }

  public enum HorizontalAlignment: Sendable { case leading, center, trailing }

  public struct VStack<Content: View>: Primitive {
    public init(
      alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
      @ViewBuilder content: () -> Content
    ) {}
  }

  public struct Text: Primitive {
    public init(_ text: String) {}
    public func font(_ font: Font?) -> Text { self }
    public func bold() -> Text { self }
  }

  public struct Font: Sendable {
    public static var largeTitle: Font { .init() }
    public static var headline: Font { .init() }
  }

  public struct Image: Primitive {
    public enum Orientation: Sendable { case up, right }
    public init(decorative image: CGImage, scale: CGFloat, orientation: Orientation = .up) {}
    public func resizable() -> Image { self }
  }

  extension View {
    public func scaledToFit() -> some View { self }
    public func padding() -> some View { self }
    public func frame(height: CGFloat?) -> some View { self }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View { self }
  }

  public struct Path: Sendable {
    public init() {}
    public init(ellipseIn rect: CGRect) {}
    public mutating func addLines(_ points: [CGPoint]) {}
    public mutating func closeSubpath() {}
  }

  public struct Color: Sendable {
    public static var blue: Color { .init() }
    public static var gray: Color { .init() }
    public static var green: Color { .init() }
  }

  public struct GraphicsContext {
    public struct Shading { public static func color(_ color: Color) -> Shading { .init() } }
    public func fill(_ path: Path, with shading: Shading) {}
  }

  public struct Canvas: Primitive {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
  }

  @MainActor public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
  }

  @resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
  }

  extension Never: Scene {}

  public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: @escaping () -> Content) {}
    public var body: Never { fatalError() }
  }

  @MainActor public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
  }

  extension App { public static func main() {} }
#endif
