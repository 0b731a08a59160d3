import Testing

@testable import CupolaTraining

@Suite("Report colors")
struct PageStyleTests {
  static let styles: [(String, PageStyle)] = [("light", .light), ("dark", .dark)]

  @Test("Text contrast meets WCAG 2.2 AA on every background", arguments: [0, 1])
  func contrast(index: Int) {
    let (name, style) = Self.styles[index]
    for ground in ["paper", "panel", "empty"].map({ style[$0] }) {
      for text in ["ink", "muted", "accent"].map({ style[$0] }) {
        #expect(text.contrast(with: ground) >= 4.5, "\(name): \(text.text) on \(ground.text)")
      }
      // Curves and graphics require a contrast of only 3.
      for mark in ["first", "second", "third", "good", "bad"].map({ style[$0] }) {
        #expect(mark.contrast(with: ground) >= 3, "\(name): \(mark.text) on \(ground.text)")
      }
    }
    for (part, color) in style.parts {
      #expect(color.contrastingColor.contrast(with: color) >= 4.5, "\(name): \(part)")
    }
    for step in 0..<ColorRamp.steps {
      let color = style.ramp.color(step: step)
      #expect(color.contrastingColor.contrast(with: color) >= 4.5, "\(name): step \(step)")
    }
  }

  @Test("The lightness of the ramp is monotonic", arguments: [0, 1])
  func ramp(index: Int) {
    let ramp = Self.styles[index].1.ramp
    let luminances = (0..<ColorRamp.steps).map { ramp.color(step: $0).luminance }
    let rises = zip(luminances, luminances.dropFirst()).map { $1 - $0 }
    #expect(rises.allSatisfy { $0 > 0.005 } || rises.allSatisfy { $0 < -0.005 })
  }

  @Test("Zero and nonzero values have different steps")
  func steps() {
    #expect(ColorRamp.step(for: 0) == 0)
    #expect(ColorRamp.step(for: 0.001) == 1)
    #expect(ColorRamp.step(for: 0.5) == 5)
    #expect(ColorRamp.step(for: 1) == 10)
  }

  @Test(
    "Oklab conversion matches reference values",
    arguments: [
      (1.0, 0.0, 0.0, "#ffffff"), (0.0, 0.0, 0.0, "#000000"),
      (0.627955, 0.257683, 29.2339, "#ff0000"),
      (0.866440, 0.294827, 142.4953, "#00ff00"), (0.452014, 0.313214, 264.0520, "#0000ff"),
    ])
  func oklab(lightness: Double, chroma: Double, hue: Double, expected: String) {
    #expect(SRGB(lightness: lightness, chroma: chroma, hue: hue).text == expected)
  }

  @Test("Contrast matches the standard")
  func standard() {
    #expect(abs(SRGB.black.contrast(with: .white) - 21) < 1e-9)
    #expect(abs(SRGB(hex: 0x767676).contrast(with: .white) - 4.54) < 0.005)
  }
}
