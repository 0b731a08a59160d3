import * as ort from "onnxruntime-web";
import { Places, distance, isPlace } from "./place.js";

/** Recognizes the building in a photo. */
export class CampusRecognizer {
  static async load(folder = ".") {
    const recognizer = new CampusRecognizer();
    const manifest = await json(`${folder}/export.json`), table = await json(`${folder}/place.json`);
    if (!manifest) throw new Error(`${folder}/export.json is missing; copy all files of the export`);
    recognizer.session = await ort.InferenceSession.create(`${folder}/campus.onnx`);
    recognizer.notes = manifest.notes;
    recognizer.places = table ? new Places(table) : null; // combines the image with position and heading
    const features = (await json(`${folder}/campus.geojson`))?.features ?? [];
    // Polygons as lists of rings; all rings after the first are holes.
    recognizer.grounds = features.filter(({ properties: p }) => p.role === "boundary")
      .flatMap(({ geometry: g }) => (g.type === "Polygon" ? [g.coordinates] : g.coordinates));
    recognizer.records = new Map(features.map(({ properties: p }) => [p.label, p])); // name, address and other properties
    return recognizer;
  }

  /**
   * photo: a File or Blob. place: {longitude, latitude, accuracy} as from navigator.geolocation, if known. For
   * heading and view, see place.js.
   */
  async answer(photo, place, heading, view) {
    if (place && isOutside(this.grounds, place)) return this.result("not_on_campus", []);
    const { labels, decision } = this.notes, { p, isUpright } = await this.probabilities(photo);
    const usual = isUpright ? this.places?.c.upright_view_deg : undefined;
    const found = place && this.places?.answer(p, decision, place, heading, Number.isFinite(view) ? view : usual);
    if (found) return this.result(found.verdict, found.buildings.map(({ label }) => label), found.probability);
    const isNone = (i) => labels[i] === "not_a_campus_building" || labels[i] === "unknown_building";
    const sum = (numbers) => numbers.reduce((sum, i) => sum + p[i], 0), numbers = [...p.keys()];
    const ranked = numbers.filter((i) => !isNone(i)).sort((a, b) => p[b] - p[a]), names = ranked.map((i) => labels[i]);
    const share = (count) => sum(ranked.slice(0, count)) / (sum(ranked) || 1);
    const isRejected = !ranked.length || Math.log(p[ranked[0]] / sum(numbers.filter(isNone))) < decision.least_odds;
    if (isRejected || share(2) < decision.least_share) return this.result("not_a_campus_building", []);
    if (share(1) < decision.least_share) return this.result("unsure", names);
    const known = 1 - sum(numbers.filter((i) => labels[i] === "unknown_building")); // excludes unknown buildings
    return this.result("building", names, p[ranked[0]] / known);
  }

  /** The probability p of every label, and whether the photo is higher than wide. */
  async probabilities(photo) {
    const { side } = this.notes.input, { rgb, isUpright } = await square(photo, side);
    const image = new ort.Tensor("uint8", rgb, [1, side, side, 3]);
    return { p: (await this.session.run({ image })).probabilities.data, isUpright };
  }

  /** The answer for the app: its text in the words of `cupola classify`, and each building's label, name and record. */
  result(verdict, labels, probability) {
    const [first, second] = labels.map((label) => {
      const record = this.records.get(label) ?? {};
      return { label, name: record.name ?? label, record };
    });
    const text = {
      building: `${first?.name} (${(100 * probability).toFixed(1)}%)`, mapped_building: `Probably ${first?.name}`,
      unsure: `Unsure: ${first?.name} or ${second?.name}`, not_a_campus_building: "Not a Campus Building",
      not_on_campus: "Not on Campus",
    }[verdict];
    if (verdict === "unsure") return { verdict, text, between: [first, second] };
    return verdict.startsWith("not_") ? { verdict, text } : { verdict, text, ...first, probability };
  }
}

/** The content of a JSON file, or null if it is missing. Some hosts return a page instead of an error. */
async function json(path) {
  const response = await fetch(path), type = response.headers?.get("content-type") ?? "";
  return response.ok && !type.includes("text/html") ? response.json() : null;
}

// The maximum number of pixels that all browsers can draw.
const mostPixels = 16e6;

/** The pixels for the model, exactly as in Cupola. */
async function square(photo, side) {
  const picture = await createImageBitmap(photo, { imageOrientation: "from-image" }); // upright
  const { width, height } = picture;
  const part = [0, 0, width, height]; // the whole photo is stretched to the square
  const scale = Math.min(1, Math.sqrt(mostPixels / (part[2] * part[3])));
  const [columns, rows] = [part[2], part[3]].map((length) => Math.max(1, Math.round(length * scale)));
  const context = new OffscreenCanvas(columns, rows).getContext("2d");
  context.fillStyle = "white"; // behind transparent pixels
  context.fillRect(0, 0, columns, rows);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, ...part, 0, 0, columns, rows);
  const rgba = context.getImageData(0, 0, columns, rows).data, rgb = new Uint8Array(side * side * 3);
  const across = taps(columns, side), down = taps(rows, side), line = new Float64Array(side * 3);
  for (let y = 0; y < side; y++) {
    const sums = new Float64Array(side * 3);
    for (const [row, share] of down[y]) {
      resizeRow(rgba, 4 * row * columns, across, line);
      for (let i = 0; i < sums.length; i++) sums[i] += share * line[i];
    }
    for (let i = 0; i < sums.length; i++) rgb[y * side * 3 + i] = Math.floor(sums[i] + 0.500000001);
  }
  return { rgb, isUpright: width < height };
}

function resizeRow(rgba, start, across, line) {
  line.fill(0);
  for (let x = 0; x < across.length; x++) {
    for (const [column, share] of across[x]) {
      for (let channel = 0; channel < 3; channel++) line[3 * x + channel] += share * rgba[start + 4 * column + channel];
    }
  }
}

/**
 * For each of `count` new samples, the old samples and their weights: area averages, or interpolation if there are
 * fewer old samples.
 */
function taps(size, count) {
  return Array.from({ length: count }, (_, sample) => {
    if (size < count) {
      const center = Math.min(Math.max(((sample + 0.5) * size) / count - 0.5, 0), size - 1), low = Math.floor(center);
      return [[low, low + 1 - center], [Math.min(low + 1, size - 1), center - low]];
    }
    const first = Math.floor((sample * size) / count), last = Math.ceil(((sample + 1) * size) / count) - 1;
    return Array.from({ length: last - first + 1 }, (_, i) => {
      const overlap = Math.min((first + i + 1) * count, (sample + 1) * size) - Math.max((first + i) * count, sample * size);
      return [first + i, overlap / size];
    });
  });
}

/**
 * Whether a place is outside the campus by more than the position error in meters (default: 15). False for a negative
 * error, which means that there is no position.
 */
function isOutside(grounds, { longitude, latitude, accuracy }) {
  const error = accuracy ?? 15;
  if (!grounds.length || !(isPlace(latitude, longitude) && error >= 0)) return false;
  // 1 cm allows for rounding.
  return grounds.every((rings) => distance([longitude, latitude], rings) > Math.max(error, 0.01));
}
