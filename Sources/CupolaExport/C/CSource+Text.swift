internal import Cupola

extension CSource {
  /// The name of the header.
  static let headerName = "cupola.h"
  /// The name of the source file.
  static let sourceName = "cupola.c"

  /// The header: sizes, then declarations. Equal models give equal bytes.
  var header: [UInt8] {
    let opening = """
      /* Made by Cupola \(cupolaVersion). `cupola verify` compares every line: change none. */
      #ifndef CUPOLA_H
      #define CUPOLA_H


      """
    return Array((opening + Self.lines(headerConstants) + "\n").utf8)
      + CRuntime.header(extractor)
  }

  /// The source file: constants, tables, functions. Equal models give equal bytes.
  var source: [UInt8] {
    var text = Array("#include \"\(Self.headerName)\"\n\n".utf8)
    text += CRuntime.tables
    text += Self.lines(sourceConstants).utf8
    text += "\nstatic const int label_of_row[CUPOLA_ROWS] = {\n".utf8
    text += Self.values(labelOfRow, inLine: 20).utf8
    text += Self.texts(labels, "cupola_labels[CUPOLA_LABELS]").utf8
    text += Self.texts(names, "cupola_names[CUPOLA_LABELS]").utf8
    text += placeTables.utf8
    if let fence { text += Self.text(of: fence).utf8 }
    for (name, tensor) in tensors.sorted(by: { $0.key < $1.key }) {
      text.append(UInt8(ascii: "\n"))
      CTable.append(tensor, named: name, to: &text)
    }
    text.append(UInt8(ascii: "\n"))
    text += CRuntime.functions(extractor)
    return text
  }

  private static func lines(_ constants: [Constant]) -> String {
    constants.map(\.line).joined()
  }

  static func texts(_ texts: [String], _ declaration: String) -> String {
    "\nconst char *const \(declaration) = {\n"
      + texts.map { "  " + CLiteral.text($0) + ",\n" }.joined() + "};\n"
  }

  private static func text(of fence: CFence) -> String {
    "\nstatic const double fence_points[2 * CUPOLA_FENCE_POINTS] = {\n"
      + fence.points.map { "\(CLiteral.number($0.x)), \(CLiteral.number($0.y)),\n" }.joined()
      + "};\n\nstatic const int fence_ring_ends[CUPOLA_FENCE_RINGS] = {\n"
      + values(fence.ringEnds, inLine: 10)
      + "\nstatic const int fence_polygon_ends[CUPOLA_FENCE_POLYGONS] = {\n"
      + values(fence.polygonEnds, inLine: 10)
  }

  /// Whole numbers and the end of their list.
  private static func values(_ values: [Int], inLine count: Int) -> String {
    stride(from: 0, to: values.count, by: count).map { start in
      values[start..<min(start + count, values.count)].map { "\($0)," }.joined(separator: " ")
        + "\n"
    }.joined() + "};\n"
  }
}
