// The step Ship: exports, the phone and the model card.

import { make, write } from "./answer.js";
import { object, text } from "./connection.js";
import { act, address, button, isNew, list, page, say, watch } from "./studio-core.js";
import { drawCode } from "./studio-qr.js";

const formats = [
  ["web", "Web page", "A page with the model that works without a server"],
  ["onnx", "ONNX", "For Python, .NET, Java and servers"],
  ["coreml", "Core ML", "For apps on iPhone, iPad and Mac"],
  ["tflite", "LiteRT", "For apps on Android"],
  ["c", "C", "For small devices, without other libraries"],
];
const made = new Set();
let wanted = null;

export function startShip() {
  page["phone-button"].addEventListener("click", () => act("api/job", { kind: "phone" }));
  page["phone-stop"].addEventListener("click", () => act("api/phone/stop", {}, "The camera page was stopped."));
  watch(show);
}

function show({ model, job, phone, exports }) {
  const now = object(job), isRunning = now?.state === "running";
  write(page["ship-note"], model ? `${text(model.file) ?? "The model"} is ready. Each export is a zip with a README.` : "Train a model first.");
  if (isNew("card", model ?? null)) {
    made.clear();
    showCard(model);
  }
  for (const format of list(exports)) made.add(format);
  if (now?.kind === "export" && now.state === "done") made.add(text(now.format) ?? text(now.result?.format) ?? wanted?.format);
  showFormats(!model || isRunning, isRunning && now.kind === "export" ? now.format ?? wanted?.format : null);
  if (wanted && now?.id === wanted.job && !isRunning) finish(now.state === "done");
  showPhone(text(phone?.url), model);
}

function showFormats(isDisabled, running) {
  if (!isNew("formats", isDisabled, running ?? null, [...made])) return;
  const focused = document.activeElement?.dataset?.format;
  page.formats.replaceChildren(...formats.map(([format, name, use]) => {
    const row = make("li", "card"), link = Object.assign(make("a", "download"), { href: address(`api/export?format=${format}`).href, download: `campus-${format}.zip`, textContent: `Download ${name}` });
    const start = button(running === format ? "Exporting..." : `Export ${name}`, () => begin(format), "");
    Object.assign(start, { disabled: isDisabled });
    start.dataset.format = format;
    link.hidden = !made.has(format);
    link.id = `download-${format}`;
    row.append(Object.assign(make("h2"), { textContent: name }), Object.assign(make("p", "note"), { textContent: use }), start, link);
    return row;
  }));
  if (focused) page.formats.querySelector(`[data-format="${focused}"]`)?.focus();
}

async function begin(format) {
  const answer = await act("api/job", { kind: "export", format });
  if (answer) wanted = { job: answer.job, format };
}

// Downloads the export that this window started.
function finish(isDone) {
  const { format } = wanted;
  wanted = null;
  if (!isDone) return;
  const link = document.getElementById(`download-${format}`);
  link.click();
  link.focus();
  say(`Exported. The zip is in your downloads.`);
}

function showPhone(url, model) {
  page["phone-button"].disabled = !model;
  page["phone-button"].hidden = url !== null;
  page["phone-stop"].hidden = url === null;
  if (page.qr.dataset.url === (url ?? "")) return;
  page.qr.dataset.url = url ?? "";
  page.qr.toggleAttribute("hidden", url === null);
  write(page["phone-url"], url ?? "");
  if (url && !drawCode(page.qr, url)) page.qr.toggleAttribute("hidden", true);
}

async function showCard(model) {
  const response = model ? await fetch(address("api/card"), { cache: "no-store" }).catch(() => null) : null;
  write(page.card, response?.ok ? await response.text() : "");
}
