import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Recipe") struct RecipeTests {
  @Test("Photos train mirrored too, but with hog, and are judged by the geometry of the recipe")
  func mirrors() {
    #expect(Recipe.balanced.mirrorsTraining && !Recipe.hog.mirrorsTraining)
    #expect(Recipe.balanced.trainingGeometries[Recipe.balanced.testView] == .squash)
    #expect(Recipe.balanced.geometry == .squash)
  }

  @Test("Recipes of older models, which say nothing of mirrors, are read: they had none")
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
