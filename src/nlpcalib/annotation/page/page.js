const sheet = JSON.parse(dataElements()[0].textContent);
const place = `nlpcalib annotation ${sheet.id}`;
const known = new Set(sheet.rows.map(({ item }) => item));
const labels = new Map(); // item to answer
const ANSWERS = [["yes", "y"], ["no", "n"], ["cannot tell", "c"]];
let at = 0;

function warn(text) {
  find("warning").textContent = text;
  find("warning").hidden = !text;
}

function store() {
  try {
    localStorage.setItem(place, JSON.stringify({ annotator: find("annotator").value, labels: [...labels], at }));
  } catch {
    warn("This browser does not keep the labels: save them as CSV before you close the page.");
  }
}

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    if (!kept) return;
    find("annotator").value = kept.annotator;
    for (const [item, answer] of kept.labels) labels.set(item, answer);
    at = kept.at;
  } catch {
    warn("This browser keeps no labels, or they cannot be read: save them as CSV before you close the page.");
  }
}

const buttons = ANSWERS.map(([answer, key]) => {
  const button = element("button", "", `${answer} (${key.toUpperCase()})`);
  button.addEventListener("click", () => {
    label(answer);
    find("text").focus();
  });
  find("answers").append(button);
  return button;
});

function show() {
  const { item, text } = sheet.rows[at];
  find("place").textContent = `${at + 1} of ${sheet.rows.length}`;
  find("text").textContent = text;
  find("text").scrollTop = 0;
  ANSWERS.forEach(([answer], number) => {
    buttons[number].setAttribute("aria-pressed", String(labels.get(item) === answer));
  });
  find("bar").max = sheet.rows.length;
  find("bar").value = labels.size;
  find("count").textContent = `${labels.size} of ${sheet.rows.length}`;
  find("previous").disabled = at === 0;
  find("next").disabled = at === sheet.rows.length - 1;
  find("open").disabled = labels.size === sheet.rows.length;
}

function move(to) {
  at = Math.min(Math.max(to, 0), sheet.rows.length - 1);
  store();
  show();
}

function label(answer) {
  labels.set(sheet.rows[at].item, answer);
  move(at + 1);
}

function nextOpen() {
  const order = [...sheet.rows.keys()];
  const found = [...order.slice(at + 1), ...order.slice(0, at + 1)].find((row) => !labels.has(sheet.rows[row].item));
  if (found !== undefined) move(found);
}

function field(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save() {
  const rows = [["item", "label"], ...sheet.rows.map(({ item }) => [item, labels.get(item) ?? ""])];
  const table = rows.map((row) => `${row.map(field).join(",")}\n`).join("");
  const link = element("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", table], { type: "text/csv" }));
  const annotator = find("annotator").value.trim().replace(/[^\p{L}\p{N}_-]+/gu, "_");
  link.download = `labels${annotator ? `_${annotator}` : ""}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Rows of a CSV that this page saved: an item that may be quoted, a comma, an answer.
function load(text) {
  let taken = 0;
  for (const [, quoted, plain, answer] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*)),(yes|no|cannot tell)\r?\n/g)) {
    const item = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    if (known.has(item)) {
      labels.set(item, answer);
      taken += 1;
    }
  }
  warn(taken ? "" : "That file has no label of these items.");
  move(at);
}

find("question").textContent = sheet.question;
find("codebook").textContent = sheet.codebook;
find("previous").addEventListener("click", () => move(at - 1));
find("next").addEventListener("click", () => move(at + 1));
find("open").addEventListener("click", nextOpen);
find("save").addEventListener("click", save);
find("annotator").addEventListener("input", store);
find("load").addEventListener("change", async (event) => load(await event.target.files[0].text()));
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const chosen = ANSWERS.find(([, key]) => key === event.key.toLowerCase());
  if (chosen) label(chosen[0]);
  else if (event.key === "ArrowLeft") move(at - 1);
  else if (event.key === "ArrowRight") move(at + 1);
  else if (event.key === " " && event.target.tagName !== "BUTTON") nextOpen();
  else if (event.key === "Backspace") {
    labels.delete(sheet.rows[at].item);
    move(at);
  } else return;
  event.preventDefault();
});
restore();
show();
