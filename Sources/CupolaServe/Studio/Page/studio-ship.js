// The step Ship: exports, the phone and the model card.

import { write } from "./answer.js";
import { object, text } from "./connection.js";
import { act, address, isNew, list, page, say, watch } from "./studio-core.js";
import { drawCode } from "./studio-qr.js";

const starts = page.formats.querySelectorAll("button");
let wanted = null;

export function startShip() {
  page["phone-button"].addEventListener("click", () => act("api/job", { kind: "phone" }));
  page["phone-stop"].addEventListener("click", () => act("api/phone/stop", {}, "The camera page was stopped."));
  for (const start of starts) start.addEventListener("click", () => begin(start.dataset.format));
  watch(show);
}

function show({ model, job, phone, exports }) {
  const now = object(job), isRunning = now?.state === "running";
  write(page["ship-note"], model ? `${text(model.file) ?? "The model"} is ready. Each export is a zip with a README.` : "Train a model first.");
  if (isNew("card", model ?? null)) showCard(model);
  showFormats(!model || isRunning, isRunning && now.kind === "export" ? now.format : null, list(exports));
  if (wanted && now?.id === wanted.job && !isRunning) finish(now.state === "done");
  showPhone(text(phone?.url), model);
  if (isNew("phone", phone ?? null) && phone?.problem) say(`The camera page ended: ${phone.problem}`, true);
}

function showFormats(isDisabled, running, made) {
  for (const start of starts) {
    const { format, name } = start.dataset;
    start.disabled = isDisabled;
    write(start, running === format ? "Exporting..." : `Export ${name}`);
    page[`download-${format}`].hidden = !made.includes(format);
  }
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
  const link = page[`download-${format}`];
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
