// Runs the recognizer of web exports with stubs of browser APIs: page.mjs FOLDER...
// Folders have the format of python/answer.py. Prints title and detail for probabilities, the title for positions off
// campus, and the verdict for positions with probabilities.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

globalThis.document = { createElement: () => ({}) };
globalThis.fetch = async (path) => {
  const bytes = readFileSync(path);
  return { ok: true, headers: new Map(), arrayBuffer: async () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) };
};

for (const folder of process.argv.slice(2)) {
  const { CampusRecognizer } = await import(pathToFileURL(`${folder}/recognizer.js`));
  const recognizer = await CampusRecognizer.load(folder), even = recognizer.notes.labels.map(() => 1);
  for (const line of readFileSync(`${folder}/cases.txt`, "utf8").trim().split("\n")) {
    const [kind, ...values] = line.split(" "), numbers = values.map((value) => (value === "?" ? undefined : Number(value)));
    const [latitude, longitude, accuracy, heading, view] = numbers, place = { latitude, longitude, accuracy, heading, view };
    if (kind === "p") {
      const { title, detail } = recognizer.judge(numbers, null);
      console.log(`${title} | ${detail ?? ""}`);
    } else if (kind === "at") console.log(recognizer.isOffCampus(place) ? "Not on Campus" : "");
    else console.log(recognizer.judge(numbers.slice(5), place).verdict);
  }
  // Apps without location permission may pass null.
  if (recognizer.judge(even, { latitude: null, longitude: null }).verdict === "not_on_campus") throw Error("null is a place");
  if ((await recognizer.look({ data: new Uint8ClampedArray(400), width: 10, height: 10 })).length !== even.length) throw Error("labels");
}
