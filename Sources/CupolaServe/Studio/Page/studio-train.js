// The step Train: starts a training, and shows its figures, the mistakes and the runs so far.

import { inWords, make, write } from "./answer.js";
import { number, object, text } from "./connection.js";
import { act, address, folders, list, nameOf, page, plural, state, watch } from "./studio-core.js";
import { thumb } from "./studio-photos.js";

const mostMistakes = 60;
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
let shownRun = null;

export function startTrain() {
  page["train-button"].addEventListener("click", () => act("api/job", { kind: "train", options: {} }));
  watch(show);
}

function show({ runs, job, missing }) {
  const isRunning = object(job)?.state === "running", buildings = folders().filter((one) => !one.isShelf && one.photos);
  page["train-button"].disabled = isRunning || buildings.length < 2;
  write(page["train-button"], runs.length ? "Train again" : "Train");
  write(page["train-note"], buildings.length < 2 ? "Add photos of at least two buildings first." : isRunning ? "You can leave this page open or close it; the training continues." :
    `${plural(buildings.reduce((sum, one) => sum + one.photos, 0), "photo")} of ${plural(buildings.length, "building")}.${missing.length ? ` Missing: ${missing.join("; ")}` : ""}`);
  const run = runs.reduce((newest, one) => !newest || one.id > newest.id ? one : newest, null), key = JSON.stringify(run);
  if (key !== shownRun) {
    shownRun = key;
    showRun(run);
    showHistory(runs);
  }
}

// The values of a run, which can come from training or from an evaluation.
function valuesOf(run) {
  const all = { ...object(run.figures), ...object(run.figures?.evaluation) }, point = object(all.risk_coverage?.operating_point);
  const rejected = number(all.false_rejection_rate);
  return {
    right: number(all.top1) ?? number(all.held_out_accuracy), named: number(point?.coverage) ?? (rejected === null ? null : 1 - rejected),
    wrong: number(point?.risk) ?? number(all.visits?.wrong),
    unknown: number(all.rejection?.unknown_named) ?? number(all.left_out_named) ?? number(all.unknown_named_rate),
    photos: number(run.photos) ?? number(all.photos), labels: number(run.labels), warnings: list(run.warnings ?? all.warnings).filter(text),
  };
}

export function percent(share) { return share === null ? "\u2013" : `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)}%`; }

function showRun(run) {
  page.verdict.hidden = !run;
  if (!run) return;
  const values = valuesOf(run), isGood = (values.right ?? 0) >= 0.9;
  page.verdict.dataset.verdict = isGood ? "good" : (values.right ?? 0) >= 0.7 ? "fair" : "poor";
  write(page["verdict-title"], values.right === null ? "The model is ready." : `The model names the right building first for ${percent(values.right)} of photos it was not trained with.`);
  const cards = [
    ["Right building first", percent(values.right), "of held-out photos"],
    ["Gets a name", percent(values.named), "of photos of your buildings; the rest get no answer"],
    ["Wrong names", percent(values.wrong), values.wrong === null ? "known after an evaluation" : "of photos that get a name"],
    ["Unknown buildings named", percent(values.unknown), "of photos of buildings without a folder"],
    ["Photos", values.photos === null ? "\u2013" : values.photos.toLocaleString("en"), values.labels === null ? "" : `of ${plural(values.labels, "label")}`],
  ];
  page.figures.replaceChildren(...cards.map(([title, value, note]) => {
    const card = make("div", "card");
    card.append(Object.assign(make("dt"), { textContent: title }), Object.assign(make("dd", "figure"), { textContent: value }), Object.assign(make("dd", "note"), { textContent: note }));
    return card;
  }));
  const steps = [...list(run.next), ...values.warnings, ...state.missing.map((one) => `Missing: ${one}`)].filter(text);
  page["next-steps"].replaceChildren(...(steps.length ? steps : ["Try photos that were not used for training."]).map((words) => Object.assign(make("li"), { textContent: words })));
  showMistakes(list(run.mistakes));
}

function showMistakes(mistakes) {
  if (!mistakes.length) return page.mistakes.replaceChildren(Object.assign(make("li", "note"), { textContent: "None on held-out photos." }));
  page.mistakes.replaceChildren(...mistakes.slice(0, mostMistakes).map(({ photo, label, answer, verdict, probability }) => {
    const row = make("li"), words = make("span"), share = number(probability);
    const said = text(answer) ? `was taken for ${nameOf(answer)}${share === null ? "" : ` (${percent(share)})`}` : `got the answer \u201c${inWords(text(verdict) ?? "unsure")}\u201d`;
    words.append(Object.assign(make("b"), { textContent: nameOf(label) }), ` ${said}`);
    row.append(Object.assign(make("img"), { src: thumb(photo), alt: photo.split("/").pop(), loading: "lazy" }), words);
    return row;
  }));
}

function showHistory(runs) {
  if (!runs.length) return page.runs.replaceChildren(Object.assign(make("p", "note"), { textContent: "No training yet." }));
  const table = make("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const title of ["Training", "Right first", "Named", "Photos", "What changed"]) head.append(Object.assign(make("th"), { textContent: title, scope: "col" }));
  for (const run of runs.toSorted((a, b) => b.id - a.id)) {
    const row = body.insertRow(), values = valuesOf(run), time = number(run.time);
    const cells = [time === null ? `Run ${run.id}` : moment.format(time * 1000), percent(values.right), percent(values.named), values.photos ?? "\u2013", list(run.changed).filter(text).join("; ")];
    for (const words of cells) row.insertCell().textContent = words;
  }
  const box = Object.assign(make("div", "scroll"), { tabIndex: 0 });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "History of trainings");
  box.append(table);
  page.runs.replaceChildren(box);
  page.report.href = address("api/report").href;
}
