// What the standard library has only since macOS 26 and iOS 26, or macOS 15 and iOS 18, for systems before
// these. In this package these declarations stand before those of the standard library, on every platform,
// so that what is tested is what runs.

extension Array where Element: BitwiseCopyable {
  /// The elements, to be read while the array is not changed.
  @inlinable @inline(__always) package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      // An array of such elements is always native: its storage stays where it is.
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      let span = unsafe Span(_unsafeElements: elements)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The elements, to be changed in their places.
  @inlinable @inline(__always) package var mutableSpan: MutableSpan<Element> {
    @_lifetime(&self)
    mutating get {
      let elements = unsafe withUnsafeMutableBufferPointer { unsafe $0 }
      let span = unsafe MutableSpan(_unsafeElements: elements)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }
}

extension String {
  /// The text whose UTF-8 some bytes are; `nil` when they are no UTF-8.
  @inlinable package init?(validating bytes: some Collection<UInt8>, as encoding: UTF8.Type) {
    let text = String(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 was replaced.
    let isSame =
      unsafe text.utf8.withContiguousStorageIfAvailable { own in
        bytes.withContiguousStorageIfAvailable { given in unsafe own.elementsEqual(given) }
      } ?? nil
    guard isSame ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
