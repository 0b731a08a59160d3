#if Serve
  import Testing

  @testable import CupolaServe

  @Suite("Moments in headers")
  struct HTTPDateTests {
    @Test("are as RFC 9110 has them, 5.6.7")
    func text() {
      #expect(HTTPDate.text(784_111_777.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
      #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
      #expect(HTTPDate.text(1_709_251_199) == "Thu, 29 Feb 2024 23:59:59 GMT")
      for seconds in [-1, 1e300, .infinity, .nan] { #expect(HTTPDate.text(seconds) == nil) }
    }
  }
#endif
