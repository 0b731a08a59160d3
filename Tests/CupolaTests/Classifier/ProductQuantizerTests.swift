import Testing

@testable import Cupola

@Suite("Product quantizer") struct ProductQuantizerTests {
  private static func golden() throws -> SafeTensors {
    try Fixtures.tensors("retrieval.safetensors")
  }

  private static func quantizer(_ file: SafeTensors) throws -> ProductQuantizer {
    let tensor = try #require(file.tensors["centroids"])
    return ProductQuantizer(
      parts: tensor.shape[0],
      values: Matrix(
        rows: tensor.shape[0] * tensor.shape[1], columns: tensor.shape[2],
        values: try #require(tensor.floats)))
  }

  @Test("Codes and what they stand for are those of faiss")
  func codes() throws {
    let file = try Self.golden()
    let quantizer = try Self.quantizer(file)
    let vectors = try file.matrix("vectors")
    let codes = try #require(file.tensors["codes"]).bytes
    let decoded = try file.matrix("decoded")
    for row in 0..<vectors.rows {
      let wanted = codes[row * quantizer.parts..<(row + 1) * quantizer.parts]
      #expect(quantizer.code(of: vectors.row(row)) == Array(wanted))
      #expect(quantizer.vector(of: wanted) == decoded.row(row))
    }
  }

  @Test("The nearest neighbors of queries are those that faiss finds, in its order")
  func neighbors() throws {
    let file = try Self.golden()
    let quantizer = try Self.quantizer(file)
    let codes = try #require(file.tensors["codes"]).bytes
    let queries = try file.matrix("queries")
    let similarities = try file.matrix("similarities")
    let wanted = try file.integers("neighbors")
    for query in 0..<queries.rows {
      var sums: [Float] = []
      ProductQuantizer.append(
        sumsOf: codes.span, parts: quantizer.parts,
        over: quantizer.products(with: queries.row(query)).span, to: &sums)
      let count = similarities.columns
      let found = sums.indices.sorted { sums[$0] > sums[$1] }.prefix(count)
      #expect(Array(found) == Array(wanted[query * count..<(query + 1) * count]))
      for (place, code) in found.enumerated() {
        #expect(abs(sums[code] - similarities[query, place]) < 1e-5)
      }
    }
  }

  @Test("Sums over tables are inner products with what codes stand for", arguments: [1, 2, 3, 8])
  func sums(parts: Int) {
    var generator = SplitMix64(seed: UInt64(parts))
    for (centroids, width) in [(1, 1), (5, 3), (256, 4)] {
      let quantizer = ProductQuantizer(
        parts: parts,
        values: SampleFisher.matrix(parts * centroids, width, in: -1...1, seed: generator.next()))
      let query = SampleFisher.matrix(1, parts * width, in: -1...1, seed: generator.next()).values
      let codes = (0..<parts * 9).map { _ in UInt8(generator.below(centroids)) }
      var sums: [Float] = [-7]
      ProductQuantizer.append(
        sumsOf: codes.span, parts: parts, over: quantizer.products(with: query, times: 2.5).span,
        to: &sums)
      #expect(sums.count == 10 && sums[0] == -7)
      for code in 0..<9 {
        let vector = quantizer.vector(of: codes[code * parts..<(code + 1) * parts])
        let wanted = zip(query, vector).reduce(0.0) { $0 + 2.5 * Double($1.0) * Double($1.1) }
        #expect(abs(Double(sums[code + 1]) - wanted) < 1e-5)
      }
    }
  }

  @Test("Of equally near centroids the first one counts")
  func ties() {
    let quantizer = ProductQuantizer(
      parts: 1, values: Matrix(rows: 3, columns: 1, values: [1, -1, 1]))
    #expect(quantizer.code(of: [0]) == [0])
    #expect(quantizer.code(of: [-0.5]) == [1])
  }
}
