// Runs the JavaScript code of ONNX exports with stubs of browser APIs: answer.mjs FOLDER...
// Folders and answers have the format of python/answer.py. The code is recognizer.js; the folder's
// node_modules/onnxruntime-web is the stub next to this file.
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

let drawn, given, side, size = { width: 400, height: 300 };

globalThis.fetch = async (path) =>
  existsSync(path) ? { ok: true, json: async () => JSON.parse(readFileSync(path, "utf8")) } : { ok: false };

globalThis.createImageBitmap = async (photo, { imageOrientation }) => {
  if (photo !== "photo" || imageOrientation !== "from-image") throw Error("not upright");
  return size;
};

globalThis.OffscreenCanvas = class {
  constructor(width, height) { Object.assign(this, { width, height }); }
  getContext() { return this; }
  fillRect() {}
  drawImage(picture, x, y, width, height, ...place) {
    if (place.join() !== [0, 0, width, height].join() || width !== this.width || height !== this.height) throw Error("place");
    drawn = [x, y, width, height];
  }
  getImageData() {
    return { data: Uint8ClampedArray.from({ length: this.width * this.height * 4 }, (_, i) => [200, 100, 10, 255][i & 3]) };
  }
};

globalThis.runModel = ({ image }) => {
  if (image.type !== "uint8" || image.dims.join() !== [1, side, side, 3].join()) throw Error("shape");
  if (image.data.some((value, i) => value !== [200, 100, 10][i % 3])) throw Error("pixels");
  return { probabilities: { data: Float32Array.from(given) } };
};

async function describeHere(values, recognizer) {
  const [latitude, longitude, accuracy, heading, view] = values.slice(0, 5).map((x) => (x === "?" ? undefined : Number(x)));
  given = values.slice(5).map(Number);
  const place = { latitude, longitude, accuracy }, { verdict } = await recognizer.answer("photo", place, heading, view);
  const found = recognizer.places.answer(given, recognizer.notes.decision, place, heading, view);
  if (!found || verdict === "not_on_campus") return verdict;
  if (found.verdict !== verdict) throw Error(verdict);
  const best = found.candidates.slice(0, 3).map(({ label, probability }) => `${label}=${probability}`);
  return [verdict, found.buildings.map(({ label }) => label).join(), ...best].join(" ");
}

for (const folder of process.argv.slice(2)) {
  side = JSON.parse(readFileSync(`${folder}/export.json`, "utf8")).notes.input.side;
  const { CampusRecognizer } = await import(pathToFileURL(`${folder}/recognizer.js`));
  const recognizer = await CampusRecognizer.load(folder), answers = [];
  for (const line of readFileSync(`${folder}/cases.txt`, "utf8").trim().split("\n")) {
    const [kind, ...values] = line.split(" ");
    if (kind === "here") { answers.push(await describeHere(values, recognizer)); continue; }
    if (kind === "p") given = values.map(Number);
    const [latitude, longitude] = values.map(Number);
    const place = { latitude, longitude, ...(values[2] === "?" ? {} : { accuracy: Number(values[2]) }) };
    answers.push((await recognizer.answer("photo", kind === "p" ? undefined : place)).text);
  }
  // Apps without location permission may pass null.
  given = recognizer.notes.labels.map(() => 1);
  const nowhere = await recognizer.answer("photo", { latitude: null, longitude: null, accuracy: null });
  if (nowhere.verdict === "not_on_campus") throw Error("null is a place");
  const part = drawn.join(" ");
  if (recognizer.places) {
    // A view of NaN is unknown, as is undefined: upright photos use the default. A negative accuracy disables the
    // fence.
    const views = [], place = { latitude: 0, longitude: 0, accuracy: -1 };
    recognizer.places.answer = (p, decision, place, heading, view) => (views.push(view), null);
    size = { width: 300, height: 400 };
    for (const view of [undefined, NaN]) await recognizer.answer("photo", place, 90, view);
    size = { width: 400, height: 300 };
    if (views.some((view) => view !== recognizer.places.c.upright_view_deg)) throw Error(`views of ${views}`);
  }
  console.log(["part " + part, ...answers].join("\n"));
}
