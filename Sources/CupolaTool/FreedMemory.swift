#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed and is kept for what comes next.
enum FreedMemory {
  /// Gives it back between long stages of other needs: else the pieces that one leaves behind are added
  /// to what the next one takes.
  static func giveBack() {
    #if canImport(Glibc)
      malloc_trim(0)
    #endif
  }
}
