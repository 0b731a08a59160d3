import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Geometry") struct GeometryTests {
  @Test(
    "Each geometry selects its region",
    arguments: [
      (Geometry.squash, 640, 480, PixelRect(x: 0, y: 0, width: 640, height: 480)),
      (.squash, 1, 9, PixelRect(x: 0, y: 0, width: 1, height: 9)),
      (.centerCrop, 640, 480, PixelRect(x: 80, y: 0, width: 480, height: 480)),
      (.centerCrop, 31, 40, PixelRect(x: 0, y: 4, width: 31, height: 31)),
      (.centerCrop, 7, 7, PixelRect(x: 0, y: 0, width: 7, height: 7)),
      (
        .window(.init(left: 5, top: 0, width: 95, height: 50)), 200, 100,
        PixelRect(x: 10, y: 0, width: 190, height: 50)
      ),
    ])
  func regions(geometry: Geometry, width: Int, height: Int, expected: PixelRect) {
    #expect(geometry.region(width: width, height: height) == expected)
  }

  @Test(
    "Windows cover the photo and stay inside it",
    arguments: [(95, 2), (80, 3), (100, 1), (60, 4), (50, 1)])
  func windows(size: Int, count: Int) {
    let windows = Geometry.windows(size: size, count: count)
    #expect(windows.count == count * count)
    #expect(Set(windows.map { "\($0)" }).count == windows.count)
    for (width, height) in [(1, 1), (3, 97), (640, 480)] {
      for window in windows {
        let region = window.region(width: width, height: height)
        #expect(region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0)
        #expect(region.x + region.width <= width && region.y + region.height <= height)
      }
    }
  }

  @Test(
    "A geometry survives a JSON round trip",
    arguments: [
      Geometry.squash, .centerCrop, .window(.init(left: 1, top: 2, width: 3, height: 98)),
    ])
  func coding(geometry: Geometry) throws {
    #expect(try throughJSON([geometry]) == [geometry])
  }

  @Test("The HOG recipe has the documented values")
  func recipe() {
    #expect(Recipe.hog.featureCount == 8100)
    #expect(Recipe.hog.geometry == .squash)
    #expect(Recipe.hog.version == Recipe.currentVersion)
  }

  @Test("Preparation crops before it resizes")
  func preparation() {
    var recipe = Recipe.hog
    recipe.inputSide = 16
    let picture = RGBImage.random(40, 24, seed: 6)
    let crop = picture.cropped(to: PixelRect(x: 8, y: 0, width: 24, height: 24))
    let expected = NaiveResampler.resize(crop, width: 16, height: 16)
    #expect(recipe.prepare(picture, geometry: .centerCrop) == expected)
  }

  @Test("A recipe survives a JSON round trip")
  func recipeCoding() throws { #expect(try throughJSON(Recipe.hog) == .hog) }
}

@Suite("Recipe") struct RecipeTests {
  @Test("All recipes except HOG train mirrored photos")
  func mirrors() {
    #expect(Recipe.balanced.mirrorsTraining && !Recipe.hog.mirrorsTraining)
    #expect(Recipe.balanced.trainingGeometries[Recipe.balanced.testView] == .squash)
    #expect(Recipe.balanced.geometry == .squash)
  }

  @Test("Older recipes without a mirror setting do not mirror")
  func older() throws {
    let text = try jsonText(Recipe.balanced)
    #expect(text.contains(#""mirrorsTraining":true,"#))
    let old = text.replacingOccurrences(of: #""mirrorsTraining":true,"#, with: "")
    var wanted = Recipe.balanced
    wanted.mirrorsTraining = false
    #expect(try JSONDecoder().decode(Recipe.self, from: Data(old.utf8)) == wanted)
    #expect(try throughJSON(Recipe.balanced) == .balanced)
  }
}
