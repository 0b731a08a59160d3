import Cupola
import Testing

@testable import CupolaTool

@Suite("Progress bar")
struct ProgressBarTests {
  private let titles = ["classifying", "step 2 of 5, describing photos", "étapes"]

  @Test("It fits a terminal, whatever there is to say", arguments: [40, 60, 80, 100, 200])
  func fits(columns: Int) {
    for title in titles {
      for total in [1, 60, 3156, 1_000_000] {
        let bar = ProgressBar(title: title, total: total, columns: columns)
        for done in [0, total / 2, total] {
          for left in ["", ", 1 s left", ", 59 min 59 s left"] {
            let line = bar.line(done, left)
            #expect(line.count < columns)
            #expect(line.hasPrefix(title) && line.contains("\(done)/\(total)") || columns == 40)
          }
        }
      }
    }
  }

  @Test("It stays before the last column, however narrow", arguments: [0, 1, 2, 20, 30])
  func narrow(columns: Int) {
    for title in titles + ["図書館図書館図書館"] {
      let bar = ProgressBar(title: title, total: 3156, columns: columns)
      #expect(WrappedText.width(bar.line(60, ", 3 s left")) <= max(0, columns - 1))
    }
  }

  @Test("It is as long as usual where there is room, and shorter where there is less")
  func width() {
    let wide = ProgressBar(title: "classifying", total: 10, columns: 100)
    #expect(
      wide.line(5, ", 3 s left")
        == "classifying [###############...............] 5/10, 3 s left")
    let usual = ProgressBar(title: "step 2 of 5, describing photos", total: 3156, columns: 80)
    #expect(
      usual.line(1578, ", 34 s left")
        == "step 2 of 5, describing photos [############.............] 1578/3156, 34 s left")
    let narrow = ProgressBar(title: "step 2 of 5, describing photos", total: 3156, columns: 50)
    #expect(narrow.line(1578, "") == "step 2 of 5, describing photos [###...] 1578/3156")
  }
}
