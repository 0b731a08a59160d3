/// Lists of one element type, one for each of some numbers, in a single array.
struct Grouped<Element: Sendable>: Sendable {
  private var starts: [Int32]
  private var elements: [Element]

  /// - Parameter visit: calls its argument with each element and its group, in the same order whenever
  ///   it runs; it runs twice.
  init(groups: Int, visit: ((Int, Element) -> Void) -> Void) {
    var starts = [Int32](repeating: 0, count: groups + 1)
    var filler: Element?
    visit { group, element in
      starts[group + 1] += 1
      filler = element
    }
    for group in 0..<groups { starts[group + 1] += starts[group] }
    var elements: [Element] = []
    if let filler {
      elements = Array(repeating: filler, count: Int(starts[groups]))
      var next = starts
      visit { group, element in
        elements[Int(next[group])] = element
        next[group] += 1
      }
    }
    (self.starts, self.elements) = (starts, elements)
  }

  /// The elements of a group.
  subscript(_ group: Int) -> ArraySlice<Element> {
    elements[Int(starts[group])..<Int(starts[group + 1])]
  }

  mutating func sortGroups(by areInOrder: (Element, Element) -> Bool) {
    for group in 0..<starts.count - 1 {
      elements[Int(starts[group])..<Int(starts[group + 1])].sort(by: areInOrder)
    }
  }
}
