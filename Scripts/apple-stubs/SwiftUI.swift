// The parts of Accessibility, SwiftUI, PhotosUI and MapKit that Examples/CampusLens uses. Each part is a separate module,
// compiled with -D MODULE. Modifiers return views of the same type, so that each needs one line.

#if Accessibility
  public enum AccessibilityNotification {
    public struct Announcement {
      public init(_ text: String) {}
      public func post() {}
    }
  }
#endif

#if SwiftUI
  public import CoreGraphics
  public import Foundation
  @_exported import Observation
  public import UIKit

  // MARK: - State

  @MainActor @propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
      get { fatalError() }
      nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
  }

  extension State where Value: ExpressibleByNilLiteral {
    public init() {}
  }

  @MainActor @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
    public init(projectedValue: Binding<Value>) { self = projectedValue }
    public var wrappedValue: Value {
      get { fatalError() }
      nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
    public subscript<Member>(
      dynamicMember member: WritableKeyPath<Value, Member>
    ) -> Binding<Member> { fatalError() }
  }

  public struct EnvironmentValues {
    public var scenePhase: ScenePhase { .active }
  }
  public enum ScenePhase: Sendable { case background, inactive, active }

  @MainActor @propertyWrapper public struct Environment<Value> {
    public init(_ value: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
  }

  // MARK: - Views

  @MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
  }

  extension Never: View { public var body: Never { fatalError() } }

  public protocol Primitive: View where Body == Never {}
  extension Primitive { public var body: Never { fatalError() } }

  public struct EmptyView: Primitive {}
  public struct TupleView<Content>: Primitive {}
  extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

  @resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { fatalError() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
      _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  }

  public enum HorizontalAlignment: Sendable { case leading, center, trailing }
  public enum Alignment: Sendable { case center, top, bottom }

  public struct VStack<Content: View>: Primitive {
    public init(
      alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
      @ViewBuilder content: () -> Content
    ) {}
  }

  public struct HStack<Content: View>: Primitive {
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
  }

  public struct ScrollView<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
  }

  public struct Spacer: Primitive { public init() {} }

  public struct ForEach<Items: RandomAccessCollection, ID: Hashable, Content> {
  }

  extension ForEach: View, Primitive where Content: View {
    public var body: Never { fatalError() }
    public init(
      _ items: Items, id: KeyPath<Items.Element, ID>,
      @ViewBuilder content: @escaping (Items.Element) -> Content
    ) {}
  }

  public struct Text: Primitive {
    public init(_ text: String) {}
    public func font(_ font: Font?) -> Text { self }
    public func bold() -> Text { self }
    public func monospacedDigit() -> Text { self }
    public func foregroundStyle(_ style: Color) -> Text { self }
  }

  public struct Font: Sendable {
    public static var largeTitle: Font { .init() }
    public static var headline: Font { .init() }
    public static var footnote: Font { .init() }
  }

  public struct Label: Primitive {
    public init(_ title: String, systemImage: String) {}
  }

  public struct Image: Primitive, Sendable {
    public enum Orientation: Sendable { case up, right }
    nonisolated public init(
      decorative image: CGImage, scale: CGFloat, orientation: Orientation = .up
    ) {}
    nonisolated public init(uiImage: UIImage) {}
    public func resizable() -> Image { self }
  }

  public struct Button: Primitive {
    public init(_ title: String, systemImage: String, action: @escaping @MainActor () -> Void) {}
  }

  public struct Link: Primitive {
    public init(_ title: String, destination: URL) {}
  }

  public struct Toggle: Primitive {
    public init(_ title: String, isOn: Binding<Bool>) {}
  }

  public struct ProgressView: Primitive {
    public init(value: Double) {}
  }

  // MARK: - Modifiers

  public enum ContentMode: Sendable { case fit, fill }
  public enum Visibility: Sendable { case automatic, visible, hidden }
  public struct Material: Sendable { public static var regularMaterial: Material { .init() } }
  public struct BorderedStyle: Sendable { public static var bordered: BorderedStyle { .init() } }

  public protocol Shape: Sendable {}
  public struct Capsule: Shape { public init() {} }
  public struct RoundedRectangle: Shape { public init(cornerRadius: CGFloat) {} }

  extension View {
    public func scaledToFit() -> some View { self }
    public func padding() -> some View { self }
    public func frame(height: CGFloat?) -> some View { self }
    public func aspectRatio(_ ratio: CGFloat?, contentMode: ContentMode) -> some View { self }
    public func background(_ material: Material, in shape: some Shape) -> some View { self }
    public func clipShape(_ shape: some Shape) -> some View { self }
    public func buttonStyle(_ style: BorderedStyle) -> some View { self }
    public func presentationDragIndicator(_ visibility: Visibility) -> some View { self }
    public func overlay(
      alignment: Alignment = .center, @ViewBuilder content: () -> some View
    ) -> some View { self }
    public func sheet<Item: Identifiable>(
      item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View { self }
    public func task<ID: Equatable>(
      id: ID, _ action: @escaping @Sendable @MainActor () async -> Void
    ) -> some View { self }
    public func onChange<Value: Equatable>(
      of value: Value, _ action: @escaping @MainActor (Value, Value) -> Void
    ) -> some View { self }
  }

  // MARK: - Accessibility

  public struct AccessibilityTraits: Sendable {
    public static var isHeader: AccessibilityTraits { .init() }
    public static var updatesFrequently: AccessibilityTraits { .init() }
  }

  public enum AccessibilityChildBehavior: Sendable { case combine, ignore }

  extension View {
    public func accessibilityLabel(_ label: String) -> some View { self }
    public func accessibilityHint(_ hint: String) -> some View { self }
    public func accessibilityHidden(_ isHidden: Bool) -> some View { self }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }
  }

  // MARK: - Drawing

  public struct Path: Sendable {
    public init(_ rect: CGRect) {}
  }

  public struct Color: Sendable {
    public static var blue: Color { .init() }
    public static var orange: Color { .init() }
    public static var secondary: Color { .init() }
    public static var accentColor: Color { .init() }
    public func opacity(_ opacity: Double) -> Color { self }
  }

  public struct GraphicsContext {
    public struct Shading { public static func color(_ color: Color) -> Shading { .init() } }
    public func fill(_ path: Path, with shading: Shading) {}
  }

  public struct Canvas: Primitive {
    public init(renderer: @escaping (inout GraphicsContext, CGSize) -> Void) {}
  }

  @MainActor public protocol UIViewRepresentable: Primitive {
    associatedtype UIViewType: UIView
    typealias Context = UIViewRepresentableContext
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
  }
  public struct UIViewRepresentableContext {}

  // MARK: - Apps

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

#if PhotosUI
  public import Foundation
  public import SwiftUI

  public struct PhotosPickerItem: Equatable, Sendable {
    public func loadTransferable(type: Data.Type) async throws -> Data? { nil }
  }

  public struct PHPickerFilter: Sendable { public static var images: PHPickerFilter { .init() } }

  public struct PhotosPicker<Content: View>: Primitive {
    public init(
      selection: Binding<PhotosPickerItem?>, matching: PHPickerFilter?,
      @ViewBuilder label: () -> Content
    ) {}
  }
#endif

#if MapKit
  public import CoreGraphics
  public import CoreLocation
  public import SwiftUI

  @MainActor public protocol MapContent {}
  extension Optional: MapContent where Wrapped: MapContent {}
  public struct TupleMapContent<Content>: MapContent {}

  @resultBuilder public enum MapContentBuilder {
    public static func buildBlock<Content: MapContent>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: MapContent>(
      _ content: repeat each Content
    ) -> TupleMapContent<(repeat each Content)> { fatalError() }
    public static func buildIf<Content: MapContent>(_ content: Content?) -> Content? { content }
  }

  extension ForEach: MapContent where Content: MapContent {
    public init(
      _ items: Items, @MapContentBuilder content: @escaping (Items.Element) -> Content
    ) where Items.Element: Identifiable<ID> { fatalError() }
    public init(
      _ items: Items, id: KeyPath<Items.Element, ID>,
      @MapContentBuilder content: @escaping (Items.Element) -> Content
    ) { fatalError() }
  }

  public struct MapCameraPosition { public static var automatic: MapCameraPosition { .init() } }

  public struct Map: Primitive {
    public init(
      initialPosition: MapCameraPosition, @MapContentBuilder content: () -> some MapContent
    ) {}
    public func mapControls(@ViewBuilder _ content: () -> some View) -> Map { self }
  }

  public struct UserAnnotation: MapContent { public init() {} }
  public struct Marker: MapContent {
    public init(_ title: String, systemImage: String, coordinate: CLLocationCoordinate2D) {}
  }
  public struct MapPolygon: MapContent {
    public init(coordinates: [CLLocationCoordinate2D]) {}
    public func foregroundStyle(_ color: Color) -> MapPolygon { self }
    public func stroke(_ color: Color, lineWidth: CGFloat) -> MapPolygon { self }
  }
  public struct MapUserLocationButton: Primitive { public init() {} }
  public struct MapCompass: Primitive { public init() {} }
#endif
