/// A scan of a progressive JPEG that brings means of blocks, or another bit of them (ITU-T T.81, G).
struct MeansScan {
  struct Component {
    /// Its number in the frame.
    let number: Int
    let table: HuffmanTable?
  }

  /// Where in the data it is.
  struct State {
    private let data: EntropyData
    fileprivate var cursor = EntropyCursor()
    fileprivate var last: [Int32]

    /// Whether more was taken than there is.
    var isExhausted: Bool { cursor.isBehindStretch(of: data) }

    init(_ data: EntropyData, components: Int) {
      self.data = data
      last = [Int32](repeating: 0, count: components)
    }

    /// - Parameter interval: units between restarts, 0 without.
    mutating func beginUnit(restartInterval interval: Int) {
      if cursor.isAtRestart(every: interval), cursor.enterNextStretch(of: data) {
        for component in last.indices { last[component] = 0 }
      }
      cursor.unit += 1
    }

    fileprivate mutating func refill() {
      let bytes = data.bytes
      cursor.bits.refill(from: bytes.span)
    }
  }

  let components: [Component]
  private let firstCoefficient: UInt8
  /// Whether it adds a bit to what an earlier scan brought.
  private let refines: Bool
  private let shift: Int

  /// `nil` when the header makes no sense.
  init?(_ payload: ArraySlice<UInt8>, _ parts: [JPEGHeader.Component], _ tables: JPEGTables) {
    let bytes = Array(payload)
    guard let count = bytes.first.map({ Int($0) }), (1...4).contains(count),
      bytes.count >= 4 + 2 * count
    else { return nil }
    var components: [Component] = []
    for number in 0..<count {
      guard let part = parts.firstIndex(where: { $0.identifier == bytes[1 + 2 * number] }) else {
        return nil
      }
      components.append(
        Component(number: part, table: tables.means(Int(bytes[2 + 2 * number] >> 4))))
    }
    self.components = components
    firstCoefficient = bytes[1 + 2 * count]
    refines = bytes[3 + 2 * count] >> 4 > 0
    shift = Int(bytes[3 + 2 * count] & 15)
  }

  var isOfMeans: Bool {
    firstCoefficient == 0 && shift < 14 && (refines || components.allSatisfy { $0.table != nil })
  }

  /// The next block's mean; `nil` where the data are none, or end.
  func value(_ value: Int32, of component: Component, _ state: inout State) -> Int32? {
    guard !state.isExhausted else { return nil }
    state.refill()
    if refines { return value | Int32(state.cursor.bits.number(1) << shift) }
    guard let length = component.table?.symbol(&state.cursor.bits), length < 16 else { return nil }
    state.last[component.number] &+= Int32(state.cursor.bits.signed(length))
    return state.last[component.number] &<< Int32(shift)
  }
}
