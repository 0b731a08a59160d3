// Draws QR codes (ISO/IEC 18004) of up to 106 bytes: byte mode, error correction level M, versions 1 to 6.
// 1. Encode bytes with error correction. 2. Draw the fixed patterns and the bits. Readers accept any mask, and addresses
// have no long runs of equal bits, so the mask is always a checkerboard.

import { element } from "./map.js";

// By version: all codewords, error correction codewords per block, and blocks.
const versions = [[26, 10, 1], [44, 16, 1], [70, 26, 1], [100, 18, 2], [134, 24, 2], [172, 16, 4]];
const quiet = 4;

// Draws a code into an SVG. Returns whether the text fits.
export function drawCode(svg, words) {
  const code = codeOf(words);
  if (!code) return false;
  const side = code.length + 2 * quiet;
  const dots = code.flatMap((row, y) => row.flatMap((isDark, x) => isDark ? `M${x + quiet} ${y + quiet}h1v1h-1z` : [])).join("");
  svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
  svg.replaceChildren(element("rect", { width: side, height: side, fill: "#fff" }), element("path", { d: dots, fill: "#000", "shape-rendering": "crispEdges" }));
  return true;
}

// The rows of a code, as lists of whether a module is dark; null if the text is too long.
export function codeOf(words) {
  const bytes = new TextEncoder().encode(words);
  const version = versions.findIndex(([all, ecc, blocks]) => bytes.length + 2 <= all - ecc * blocks) + 1;
  if (!version) return null;
  const rows = fixedPatterns(version);
  placeBits(rows, codewords(bytes, version));
  return rows;
}

// MARK: Codewords

function codewords(bytes, version) {
  const [all, ecc, blocks] = versions[version - 1], capacity = all - ecc * blocks, bits = [];
  const push = (value, count) => { for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1); };
  push(4, 4);
  push(bytes.length, 8);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacity * 8 - bits.length));
  push(0, (8 - bits.length % 8) % 8);
  const data = [];
  for (let at = 0; at < bits.length; at += 8) data.push(bits.slice(at, at + 8).reduce((sum, bit) => sum * 2 + bit));
  for (let pad = 0xEC; data.length < capacity; pad ^= 0xFD) data.push(pad);
  const size = capacity / blocks, parts = Array.from({ length: blocks }, (_, block) => data.slice(block * size, (block + 1) * size));
  const mixed = (lists) => lists[0].flatMap((_, at) => lists.map((one) => one[at]));
  return [...mixed(parts), ...mixed(parts.map((part) => remainder(part, ecc)))];
}

function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) product = ((product << 1) ^ ((product >> 7) * 0x11D)) ^ (((b >> bit) & 1) * a);
  return product;
}

// The Reed-Solomon check codewords of a block.
function remainder(data, count) {
  const divisor = [...Array(count - 1).fill(0), 1];
  for (let root = 1, step = 0; step < count; step += 1, root = multiply(root, 2)) {
    for (let at = 0; at < count; at += 1) divisor[at] = multiply(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  }
  const rest = Array(count).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((value, at) => { rest[at] ^= multiply(value, factor); });
  }
  return rest;
}

// MARK: Patterns

// The modules: whether they are dark, or undefined where the bits will be.
function fixedPatterns(version) {
  const size = version * 4 + 17, rows = Array.from({ length: size }, () => Array(size));
  const square = (x, y, radius, isDark) => {
    for (let down = -radius; down <= radius; down += 1) {
      for (let right = -radius; right <= radius; right += 1) {
        if (rows[y + down] && x + right >= 0 && x + right < size) rows[y + down][x + right] = isDark(Math.max(Math.abs(right), Math.abs(down)));
      }
    }
  };
  for (let at = 0; at < size; at += 1) rows[6][at] = rows[at][6] = at % 2 === 0;
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (away) => away !== 2 && away !== 4);
  if (version > 1) square(size - 7, size - 7, 2, (away) => away !== 1);
  // The format: level M and mask 0.
  const format = 0x5412, bit = (at) => ((format >> at) & 1) === 1;
  for (let at = 0; at < 15; at += 1) {
    rows[at < 6 ? at : at < 8 ? at + 1 : size - 15 + at][8] = bit(at);
    rows[8][at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at] = bit(at);
  }
  rows[size - 8][8] = true;
  return rows;
}

// Fills the free modules in columns of two, from the bottom right.
function placeBits(rows, data) {
  const size = rows.length;
  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1) {
      const isUp = ((right + 1) & 2) === 0, y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (rows[y][x] !== undefined) continue;
        rows[y][x] = (((data[at >> 3] ?? 0) >> (7 - (at & 7))) & 1) !== (x + y + 1) % 2;
        at += 1;
      }
    }
  }
}
