import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Recipe") struct RecipeTests {
  @Test("Mirrored views come after the others, so that the test view is the same with and without")
  func views() {
    var recipe = Recipe.balanced
    #expect(recipe.mirrorsTraining && !Recipe.hog.mirrorsTraining)
    #expect(
      recipe.trainingViews.map(\.geometry) == [.squash, .centerCrop, .squash, .centerCrop])
    #expect(recipe.trainingViews.map(\.isMirrored) == [false, false, true, true])
    #expect(recipe.trainingViews[recipe.testView].geometry == recipe.geometry)
    recipe.mirrorsTraining = false
    #expect(recipe.trainingViews.map(\.geometry) == recipe.trainingGeometries)
    #expect(recipe.trainingViews.allSatisfy { !$0.isMirrored })
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
