// Reads the files in a zip without loading it as a whole.
// 1. Read the central directory at the end. 2. Unpack one entry at a time.

const endMark = 0x06054b50, entryMark = 0x02014b50, localMark = 0x04034b50;
const longestEnd = 65_557, longestDirectory = 64 << 20;
export const mostBytes = 64 << 20;

// The files of a zip: { name, file() }, where file() throws an Error for the page.
export async function filesInZip(zip) {
  const tail = await view(zip, Math.max(0, zip.size - longestEnd), zip.size);
  let at = tail.byteLength - 22;
  while (at >= 0 && tail.getUint32(at, true) !== endMark) at -= 1;
  if (at < 0) throw new Error("not a zip file, or its end is missing; copy it again");
  const size = tail.getUint32(at + 12, true), start = tail.getUint32(at + 16, true);
  if (start === 0xFFFFFFFF || size > longestDirectory || start + size > zip.size) throw new Error("this kind of zip is not supported; unpack it and drop the folder");
  const directory = await view(zip, start, start + size), files = [];
  for (let entry = 0; entry + 46 <= size && directory.getUint32(entry, true) === entryMark;) {
    const flags = directory.getUint16(entry + 8, true), nameSize = directory.getUint16(entry + 28, true);
    const bytes = new Uint8Array(directory.buffer, entry + 46, Math.min(nameSize, size - entry - 46));
    const name = decoded(bytes).replaceAll("\\", "/");
    const found = {
      isEncrypted: (flags & 1) === 1, method: directory.getUint16(entry + 10, true), packed: directory.getUint32(entry + 20, true),
      size: directory.getUint32(entry + 24, true), start: directory.getUint32(entry + 42, true),
    };
    if (!name.endsWith("/")) files.push({ name, size: found.size, file: () => unpack(zip, found, name) });
    entry += 46 + nameSize + directory.getUint16(entry + 30, true) + directory.getUint16(entry + 32, true);
  }
  return files;
}

async function unpack(zip, { isEncrypted, method, packed, size, start }, name) {
  if (isEncrypted) throw new Error("encrypted; unpack the zip and drop the folder");
  if (size > mostBytes) throw new Error("larger than 64 MB");
  const local = await view(zip, start, start + 30);
  if (local.byteLength < 30 || local.getUint32(0, true) !== localMark) throw new Error("damaged entry of the zip; copy it again");
  const first = start + 30 + local.getUint16(26, true) + local.getUint16(28, true), data = zip.slice(first, first + packed);
  const last = name.split("/").pop();
  if (method === 0) return new File([data], last);
  if (method !== 8) throw new Error("unknown compression; unpack the zip and drop the folder");
  const reader = data.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
  // The sizes in a zip can be wrong.
  for (let total = 0; ;) {
    const { done, value } = await reader.read().catch(() => { throw new Error("damaged entry of the zip; copy it again"); });
    if (done) return new File(parts, last);
    total += value.length;
    if (total > mostBytes) {
      reader.cancel().catch(() => {});
      throw new Error("larger than 64 MB");
    }
    parts.push(value);
  }
}

async function view(zip, start, end) { return new DataView(await zip.slice(start, end).arrayBuffer()); }

// Many programs write UTF-8 without saying so.
function decoded(bytes) {
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("windows-1252").decode(bytes); }
}
