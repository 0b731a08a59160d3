// Standard library API for older systems: `Span` properties (macOS 26, iOS 26) and UTF-8 validation (macOS 15, iOS 18).
// These declarations replace the standard library's on every platform, so tests run the same code everywhere.

extension Array where Element: BitwiseCopyable {
  @inlinable @inline(__always) package var span: Span<Element> {
    @_lifetime(borrow self)
    borrowing get {
      // The storage of an array of bitwise-copyable elements is always contiguous and native.
      let elements = unsafe withUnsafeBufferPointer { unsafe $0 }
      let span = unsafe Span(_unsafeElements: elements)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

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
  /// Decodes UTF-8 bytes. Returns `nil` if they are invalid.
  @inlinable package init?(validating bytes: some Collection<UInt8>, as encoding: UTF8.Type) {
    let text = String(decoding: bytes, as: UTF8.self)
    // `String(decoding:as:)` replaces invalid bytes, in which case the text differs from the bytes.
    let isSame =
      unsafe text.utf8.withContiguousStorageIfAvailable { own in
        bytes.withContiguousStorageIfAvailable { given in unsafe own.elementsEqual(given) }
      } ?? nil
    guard isSame ?? text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
