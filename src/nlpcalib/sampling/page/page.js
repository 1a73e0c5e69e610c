const sheet = JSON.parse(dataElements()[0].textContent);
const place = `nlpcalib annotation ${sheet.id}`;
const names = new Set(sheet.answers.map(({ name }) => name));
const items = new Set(sheet.rows.map(({ item }) => item));
const labels = new Map(); // item to answer
let history = []; // [item, the answer it had before]
let at = 0;
let typed = "";
let saved = true; // whether all labels are in a CSV

function warn(text) {
  find("warning").textContent = text;
  find("warning").hidden = !text;
}

function store() {
  const kept = { annotator: find("annotator").value, labels: [...labels], history, at };
  if (!keep(place, kept)) warn("This browser does not keep the labels: save them as CSV before you close the page.");
}

function restore() {
  const kept = keptAt(place);
  if (kept === undefined) warn("This browser keeps no labels, or they cannot be read: save them as CSV before you close the page.");
  if (!kept) return;
  find("annotator").value = kept.annotator;
  for (const [item, answer] of kept.labels) labels.set(item, answer);
  history = kept.history;
  at = kept.at;
  saved = !labels.size;
}

const buttons = sheet.answers.map(({ name, key }) => {
  const button = element("button");
  button.append(element("kbd", "", key), element("span", "", name));
  button.addEventListener("click", (event) => {
    label(name);
    // After a click with the mouse, Space must not press the button again for the next item.
    if (event.detail) find("text").focus();
  });
  const entry = element("li");
  entry.append(button);
  find("answers").append(entry);
  return button;
});

function show() {
  const { item, date, text } = sheet.rows[at];
  find("place").textContent = `${at + 1} of ${sheet.rows.length}${date ? `, ${date}` : ""}`;
  find("text").textContent = text;
  find("text").scrollTop = 0;
  sheet.answers.forEach(({ name, key }, number) => {
    buttons[number].setAttribute("aria-pressed", String(name === labels.get(item)));
    buttons[number].classList.toggle("away", !key.startsWith(typed));
  });
  find("typed").textContent = typed ? `${typed} …` : "";
  find("bar").max = sheet.rows.length;
  find("bar").value = labels.size;
  find("count").textContent = `${labels.size} of ${sheet.rows.length}`;
  find("previous").disabled = at === 0;
  find("next").disabled = at === sheet.rows.length - 1;
  find("open").disabled = labels.size === sheet.rows.length;
  find("undo").disabled = !history.length;
}

function move(to) {
  at = Math.min(Math.max(to, 0), sheet.rows.length - 1);
  typed = "";
  store();
  show();
}

function label(answer) {
  const { item } = sheet.rows[at];
  history.push([item, labels.get(item) ?? null]);
  labels.set(item, answer);
  saved = false;
  move(at + 1);
}

function undo() {
  if (!history.length) return;
  const [item, before] = history.pop();
  if (before === null) labels.delete(item);
  else labels.set(item, before);
  saved = false;
  move(sheet.rows.findIndex((row) => row.item === item));
}

function nextOpen() {
  const order = [...sheet.rows.keys()];
  const found = [...order.slice(at + 1), ...order.slice(0, at + 1)].find((row) => !labels.has(sheet.rows[row].item));
  if (found !== undefined) move(found);
}

function save() {
  const annotator = find("annotator").value.trim();
  const header = annotator ? ["item", "annotator", "label"] : ["item", "label"];
  const rows = sheet.rows.map(({ item }) => [item, ...(annotator ? [annotator] : []), labels.get(item) ?? ""]);
  download(`labels${annotator ? `_${fileName(annotator)}` : ""}.csv`, [header, ...rows]);
  saved = true;
}

// What this page saved: an item, perhaps an annotator, an answer.
function load(text) {
  let taken = 0;
  for (const row of tableRows(text)) {
    const answer = row[row.length - 1];
    if (items.has(row[0]) && names.has(answer)) {
      labels.set(row[0], answer);
      taken += 1;
    }
  }
  warn(taken ? "" : "That file has no label of these items.");
  move(at);
}

function type(key) {
  const begun = typed + key;
  const chosen = sheet.answers.find((answer) => answer.key === begun);
  if (chosen) label(chosen.name);
  else {
    // A key that begins no answer's starts anew, so that a slip never becomes a label.
    typed = sheet.answers.some((answer) => answer.key.startsWith(begun)) ? begun : "";
    show();
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT") {
    if (event.key === "Enter" || event.key === "Escape") find("text").focus();
    return;
  }
  const undoing = event.key === "Backspace" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z");
  if ((undoing && typed) || event.key === "Escape") {
    typed = "";
    show();
  } else if (undoing) undo();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "ArrowLeft") move(at - 1);
  else if (event.key === "ArrowRight") move(at + 1);
  else if (event.key === " " && event.target.tagName !== "BUTTON") nextOpen();
  else if (/^[0-9a-z?]$/i.test(event.key) && !event.repeat) type(event.key.toLowerCase());
  else return;
  event.preventDefault();
});

find("question").textContent = sheet.question;
find("codebook").textContent = sheet.codebook;
find("codebook").parentElement.hidden = !sheet.codebook;
find("previous").addEventListener("click", () => move(at - 1));
find("next").addEventListener("click", () => move(at + 1));
find("open").addEventListener("click", nextOpen);
find("undo").addEventListener("click", undo);
find("save").addEventListener("click", save);
find("annotator").addEventListener("input", store);
find("load").addEventListener("change", async (event) => load(await event.target.files[0].text()));
window.addEventListener("beforeunload", (event) => {
  if (!saved && find("warning").hidden === false) event.preventDefault();
});
restore();
show();
