// Shows an answer: name, candidates, evidence and the building's record. Texts are never parsed as markup, and their
// length does not change the layout.

import { object, text } from "./connection.js";

const hints = {
  hold_still: "Hold still", more_light: "More light", less_light: "Less light", step_back: "Step back",
  step_nearer: "Step nearer", move_left: "Move left", move_right: "Move right",
};
// The same colors as in the evaluation report: orange for the label and blue against it, over a gray photo.
const evidenceFor = [230, 97, 0], evidenceAgainst = [26, 84, 214], strongest = 0.7;
const nothing = "\u2013";

export class AnswerView {
  campus = { labels: [], buildings: new Map() };
  #page;
  #rows;
  #record = null;
  #grid = document.createElement("canvas");

  constructor(page) {
    this.#page = page;
    this.#rows = Array.from({ length: 3 }, () => {
      const row = make("li"), name = make("bdi", "who"), share = make("span", "share"), track = make("span", "track"), bar = make("span", "fill");
      track.append(bar);
      row.append(name, share, track);
      page.candidates.append(row);
      return { row, name, share, bar };
    });
  }

  show(answer) {
    const page = this.#page, { verdict, label, frameLabel, frameProbability } = answer;
    this.#say(verdict, answer.title || "Looking...");
    write(page.share, answer.detail);
    const other = frameLabel === null || frameLabel === label ? "" : `: ${this.#nameOf(frameLabel)},`;
    write(page.frame, frameProbability === null ? "" : `this frame${other} ${percent(frameProbability)}`);
    this.#showCandidates(answer.candidates, answer.hasShares);
    const hint = hints[answer.hint];
    if (hint) write(page.hint, hint);
    page.hint.hidden = !hint;
    // The record stays visible while the next building is being recognized.
    if (verdict === "building" || verdict === "mapped_building") this.#showRecord(label, answer.building ?? this.campus.buildings.get(label)?.record);
    else if (verdict !== "looking" && verdict !== "unsure") this.#showRecord(null, null);
    this.#paint(answer.overlay);
  }

  // Clears the answer, and shows `words` instead. `isStill` is whether the next answer is about a photo.
  clear(words, isStill = false) {
    this.#page.answer.classList.toggle("still", isStill);
    this.#say("none", words);
    write(this.#page.share, "");
    write(this.#page.frame, "");
    this.#showCandidates([]);
    this.#page.hint.hidden = true;
    this.#showRecord(null, null);
    this.#paint(null);
  }

  #nameOf(label) { return this.campus.buildings.get(label)?.name ?? inWords(label); }

  // A label that has no name on the map is displayed as words.
  #candidateName({ label, name }) { return name === null || name === label ? this.#nameOf(label) : name; }

  // Shows the answer in large type. If it has changed, announces it to screen readers.
  #say(verdict, words) {
    const { answer, name, spoken } = this.#page;
    answer.dataset.verdict = verdict;
    if (name.title !== words) {
      const inner = name.querySelector("bdi");
      name.classList.remove("long", "longer");
      write(inner, words);
      name.title = words;
      // Names that do not fit on one line are shown in smaller type, on two or three lines.
      if (inner.scrollWidth > name.clientWidth) name.classList.add("long");
      if (inner.scrollHeight > inner.clientHeight + 2) name.classList.add("longer");
    }
    if (verdict === "none") write(spoken, "");
    else if (verdict !== "looking") write(spoken, words);
  }

  #showCandidates(candidates, hasShares = true) {
    this.#rows.forEach(({ row, name, share, bar }, index) => {
      const candidate = candidates[index];
      row.classList.toggle("empty", !candidate);
      write(name, candidate ? this.#candidateName(candidate) : nothing);
      write(share, candidate && hasShares ? percent(candidate.probability) : "");
      bar.style.transform = `scaleX(${candidate && hasShares ? candidate.probability : 0})`;
    });
  }

  #showRecord(label, record) {
    if (label === this.#record) return;
    this.#record = label;
    const page = this.#page, known = object(record) ?? {};
    page.record.hidden = label === null;
    if (label === null) return;
    write(page["record-title"], text(known.name) ?? this.#nameOf(label));
    const facts = Object.entries(known).filter(([key]) => key !== "name").map(([key, value]) => [inWords(key), plain(value)]);
    page.facts.replaceChildren(...facts.filter(([, words]) => words).map(([key, words]) => {
      const row = make("div");
      row.append(Object.assign(make("dt"), { textContent: key }), Object.assign(make("dd"), { textContent: words, dir: "auto" }));
      return row;
    }));
  }

  #paint(overlay) {
    const canvas = this.#page.overlay, context = canvas.getContext("2d"), grid = this.#grid;
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!overlay) return;
    const { columns, rows, values } = overlay, image = new ImageData(columns, rows);
    values.forEach((value, index) => {
      const opacity = Math.min(1, Math.abs(value)) * strongest;
      image.data.set([...(value < 0 ? evidenceAgainst : evidenceFor), Math.round(opacity * 255)], index * 4);
    });
    Object.assign(grid, { width: columns, height: rows });
    grid.getContext("2d").putImageData(image, 0, 0);
    context.drawImage(grid, 0, 0, canvas.width, canvas.height);
  }
}

export function make(name, className = "") { return Object.assign(document.createElement(name), { className }); }

// Writes a text only if it has changed, because answers arrive every few milliseconds.
export function write(place, words) { if (place.textContent !== words) place.textContent = words; }

export function inWords(key) {
  const words = key.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function percent(share) { return share === null ? "" : `${(share * 100).toFixed(1)}%`; }

function plain(value, depth = 0) {
  if (value === null || value === undefined || depth > 4) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map((part) => plain(part, depth + 1)).filter(Boolean).join(", ");
  if (typeof value === "number") return String(Number(value.toFixed(6)));
  if (typeof value !== "object") return String(value);
  return Object.entries(value).map(([key, part]) => [inWords(key), plain(part, depth + 1)]).filter(([, words]) => words)
    .map((pair) => pair.join(": ")).join("; ");
}
