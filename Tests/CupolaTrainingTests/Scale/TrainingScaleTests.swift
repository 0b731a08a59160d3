import Cupola
import Testing

@testable import CupolaTraining

@Suite("Training scale")
struct TrainingScaleTests {
  @Test("more photos than a number bound the work")
  func threshold() {
    #expect(TrainingScale(photos: TrainingScale.mostPhotosInFull) == .full)
    #expect(TrainingScale(photos: TrainingScale.mostPhotosInFull + 1) == .bounded)
  }

  @Test("all views are every geometry plain, then mirrored; drawn pictures are not mirrored")
  func allViews() {
    let views = TrainingViews.all.views(of: .balanced, isDrawn: false)
    #expect(views.map(\.geometry) == [.squash, .centerCrop, .squash, .centerCrop])
    #expect(views.map(\.isMirrored) == [false, false, true, true])
    #expect(TrainingViews.all.views(of: .balanced, isDrawn: true) == Array(views.prefix(2)))
    #expect(TrainingViews.all.views(of: .hog, isDrawn: false).count == 6)
  }

  @Test("once is every geometry once, and never mirrors the view that photos are judged by")
  func onceViews() {
    let views = TrainingViews.once.views(of: .balanced, isDrawn: false)
    #expect(views.map(\.geometry) == [.squash, .centerCrop])
    #expect(views.map(\.isMirrored) == [false, true])
    var turned = Recipe.balanced
    turned.geometry = .centerCrop
    #expect(turned.testView == 1)
    #expect(
      TrainingViews.once.views(of: turned, isDrawn: false).map(\.isMirrored) == [true, false])
    #expect(
      TrainingViews.once.views(of: .balanced, isDrawn: true).allSatisfy { !$0.isMirrored })
    #expect(
      TrainingViews.once.views(of: .hog, isDrawn: false)
        == TrainingViews.all.views(of: .hog, isDrawn: false))
  }

  @Test("of many photos no more folds are held out than calibration needs")
  func folds() {
    // 400 buildings of ten photos, each of its own session.
    let labels = (0..<4000).map { $0 / 10 }
    let names = Labels((0..<400).map { "b\($0 + 100)" })
    let groups = Array(labels.indices)
    let full = TrainingScale.full.folds(labels, groups, names, seed: 1)
    #expect(full.count == 5)
    #expect(full.tested == Array(labels.indices))
    let bounded = TrainingScale.bounded.folds(labels, groups, names, seed: 1)
    #expect(bounded.count == 2)
    #expect(bounded.tested.count >= TrainingScale.enoughHeldOut)
    for photo in labels.indices {
      let fold = full.assignment[photo]
      #expect(bounded.assignment[photo] == (fold == 0 || fold == 1 ? fold : nil))
    }
  }
}
