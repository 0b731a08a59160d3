/// A scan of a progressive JPEG that brings means of blocks, or another bit of them (ITU-T T.81, G).
struct MeansScan {
  struct Component {
    /// Its number in the frame.
    let number: Int
    let table: HuffmanTable?
  }

  /// Where in the data it is.
  struct State {
    fileprivate var bits: JPEGBits
    fileprivate var last: [Int32]
    /// Whether the data ended early.
    var isExhausted: Bool { bits.isExhausted }

    init(_ data: Range<Int>, components: Int) {
      bits = JPEGBits(data)
      last = [Int32](repeating: 0, count: components)
    }

    /// - Parameter interval: units between restarts, 0 without.
    mutating func beginUnit(_ number: Int, _ interval: Int, in bytes: Span<UInt8>) {
      guard interval > 0, number > 0, number % interval == 0 else { return }
      bits.restart(in: bytes)
      for component in last.indices { last[component] = 0 }
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
        Component(number: part, table: tables.huffman(Int(bytes[2 + 2 * number] >> 4))))
    }
    self.components = components
    firstCoefficient = bytes[1 + 2 * count]
    refines = bytes[3 + 2 * count] >> 4 > 0
    shift = Int(bytes[3 + 2 * count] & 15)
  }

  var isOfMeans: Bool {
    firstCoefficient == 0 && shift < 14 && (refines || components.allSatisfy { $0.table != nil })
  }

  /// The next block's mean; `nil` where the data are none.
  func value(
    _ value: Int32, of component: Component, _ state: inout State, in bytes: Span<UInt8>
  ) -> Int32? {
    if refines { return value | Int32(state.bits.next(in: bytes) << shift) }
    guard let length = component.table?.symbol(&state.bits, in: bytes), length < 16 else {
      return nil
    }
    var difference = state.bits.number(length, in: bytes)
    if length > 0, difference < 1 << (length - 1) { difference -= 1 << length - 1 }
    state.last[component.number] &+= Int32(difference)
    return state.last[component.number] &<< Int32(shift)
  }
}
