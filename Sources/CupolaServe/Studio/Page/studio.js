// The page of `cupola studio`.
// 1. Switch steps. 2. Show the running job, undo and redo. 3. Start the steps and the long poll.

import { write } from "./answer.js";
import { object, text } from "./connection.js";
import { acceptFiles } from "./studio-drop.js";
import { act, page, plural, poll, say, state, watch } from "./studio-core.js";
import { startMap } from "./studio-map.js";
import { startPhotos } from "./studio-photos.js";
import { startShip } from "./studio-ship.js";
import { startTrain } from "./studio-train.js";
import { startTry, tryFiles } from "./studio-try.js";

const tabs = Array.from(page.tabs.querySelectorAll("[role=tab]")), steps = tabs.map((tab) => page[tab.getAttribute("aria-controls")]);
const kinds = { check: "Checking photos", train: "Training", evaluate: "Measuring", export: "Exporting", import: "Adding photos", phone: "Starting the camera page" };
let shownJob = null;

// The server has stored the token in a cookie, so it need not stay in the address and the history.
const visible = new URL(location.href);
if (visible.searchParams.has("token")) {
  visible.searchParams.delete("token");
  history.replaceState(history.state, "", visible);
}

function open(index, hasFocus = false) {
  tabs.forEach((tab, at) => {
    tab.setAttribute("aria-selected", at === index);
    tab.tabIndex = at === index ? 0 : -1;
    steps[at].hidden = at !== index;
  });
  if (hasFocus) tabs[index].focus();
  history.replaceState(history.state, "", `#${tabs[index].id.slice(4)}`);
}

function current() { return steps.findIndex((step) => !step.hidden); }

tabs.forEach((tab, index) => tab.addEventListener("click", () => open(index)));
page.tabs.addEventListener("keydown", (event) => {
  const last = tabs.length - 1, at = current();
  const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  open(next, true);
});

// MARK: Undo and the running job

async function revert(kind) {
  if (!state?.[kind]) return say(`There is nothing to ${kind}.`);
  await act(`api/${kind}`, {}, ({ title }) => `${kind === "undo" ? "Undone" : "Redone"}: ${text(title) ?? ""}`);
}

page.undo.addEventListener("click", () => revert("undo"));
page.redo.addEventListener("click", () => revert("redo"));
page["job-cancel"].addEventListener("click", () => act("api/job/cancel"));
window.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || page.chooser.open || event.target.closest("input:not([type=file]), textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  revert(key === "y" || event.shiftKey ? "redo" : "undo");
});

watch(({ folder, undo, redo, job }) => {
  write(page.folder, text(folder) ?? "");
  for (const [kind, title] of [["undo", undo], ["redo", redo]]) {
    const name = kind === "undo" ? "Undo" : "Redo";
    page[kind].disabled = !title;
    write(page[kind], title ? `${name}: ${title}` : name);
    page[kind].title = title ?? "";
  }
  showJob(object(job));
});

function showJob(job) {
  const isRunning = job?.state === "running";
  page.job.hidden = !isRunning;
  if (isRunning) {
    write(page["job-title"], kinds[job.kind] ?? job.kind);
    const stage = [text(job.stage), job.of ? `${job.done} of ${job.of}` : null, timeLeft(job.secondsLeft)].filter(Boolean).join(" \u00b7 ");
    write(page["job-stage"], stage || "Starting...");
    if (job.of) Object.assign(page["job-bar"], { max: job.of, value: job.done });
    else page["job-bar"].removeAttribute("value");
  }
  const isNews = shownJob && job && (shownJob.id !== job.id || shownJob.state !== job.state);
  if (isNews && !isRunning) say(outcome(job), job.state === "failed");
  shownJob = job ?? { id: null };
}

function outcome({ kind, state: end, message }) {
  const name = kinds[kind] ?? kind;
  if (end === "failed") return `${name} failed: ${text(message) ?? "see the terminal for the reason"}`;
  return end === "canceled" ? `${name}: canceled. Photos and model are unchanged.` : text(message) ?? `${name}: done.`;
}

function timeLeft(seconds) {
  if (!Number.isFinite(seconds) || seconds === null) return null;
  return seconds < 90 ? `${plural(Math.max(1, Math.round(seconds)), "second")} left` : `${plural(Math.round(seconds / 60), "minute")} left`;
}

// MARK: Start

startPhotos();
startMap();
startTrain();
startTry();
startShip();
acceptFiles(() => page.try.hidden ? null : tryFiles);
const wanted = tabs.findIndex((tab) => `#${tab.id.slice(4)}` === location.hash);
open(Math.max(0, wanted));
poll();
