const sheet = JSON.parse(dataElements()[0].textContent);
const place = `nlpcalib coding sheet ${sheet.id}`;
const codes = new Map(); // lead to category
let history = []; // [lead, the code it had before]
let at = 0;
let typed = "";
let saved = true; // whether all codes are in a CSV

function warn(text) {
  find("warning").textContent = text;
  find("warning").hidden = false;
}

function store() {
  try {
    localStorage.setItem(place, JSON.stringify({ coder: find("coder").value, codes: [...codes], history, at }));
  } catch {
    warn("This browser does not keep the codes: save them as CSV before you close the page.");
  }
}

function restore() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(place));
  } catch {
    warn("What this browser kept of the codes cannot be read, or it keeps nothing: save them as CSV before you close the page.");
  }
  if (!kept) return;
  find("coder").value = kept.coder;
  for (const [lead, category] of kept.codes) codes.set(lead, category);
  history = kept.history;
  at = kept.at;
  saved = !codes.size;
}

const buttons = sheet.categories.map(({ name, key }) => {
  const button = element("button");
  button.append(element("kbd", "", key), element("span", "", name));
  button.addEventListener("click", (event) => {
    code(name);
    // After a click with the mouse, Space must not press the button again for the next lead.
    if (event.detail) find("text").focus();
  });
  const item = element("li");
  item.append(button);
  find("categories").append(item);
  return button;
});

function show() {
  const { lead, date, text } = sheet.leads[at];
  const chosen = codes.get(lead);
  find("place").textContent = `${at + 1} of ${sheet.leads.length}${date ? `, ${date}` : ""}`;
  find("text").textContent = text;
  find("answer").textContent = chosen === undefined ? "" : `Coded: ${chosen}`;
  sheet.categories.forEach(({ name, key }, number) => {
    buttons[number].setAttribute("aria-pressed", String(name === chosen));
    buttons[number].classList.toggle("away", !key.startsWith(typed));
  });
  find("typed").textContent = typed ? `${typed} …` : "";
  find("bar").max = sheet.leads.length;
  find("bar").value = codes.size;
  find("count").textContent = `${codes.size} of ${sheet.leads.length} coded`;
  find("previous").disabled = at === 0;
  find("next").disabled = at === sheet.leads.length - 1;
  find("open").disabled = codes.size === sheet.leads.length;
  find("undo").disabled = !history.length;
}

function move(to) {
  at = Math.min(Math.max(to, 0), sheet.leads.length - 1);
  typed = "";
  store();
  show();
}

function code(category) {
  const { lead } = sheet.leads[at];
  history.push([lead, codes.get(lead) ?? null]);
  codes.set(lead, category);
  saved = false;
  move(at + 1);
}

function undo() {
  if (!history.length) return;
  const [lead, before] = history.pop();
  if (before === null) codes.delete(lead);
  else codes.set(lead, before);
  saved = false;
  move(sheet.leads.findIndex((each) => each.lead === lead));
}

function nextOpen() {
  const order = [...sheet.leads.keys()];
  const found = [...order.slice(at + 1), ...order.slice(0, at + 1)].find((row) => !codes.has(sheet.leads[row].lead));
  if (found !== undefined) move(found);
}

function table() {
  const rows = sheet.leads.map(({ lead }) => [lead, codes.get(lead) ?? ""]);
  return [["lead", "code"], ...rows].map(tableRow).join("");
}

function save() {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", table()], { type: "text/csv" }));
  const coder = find("coder").value.trim().replace(/[^\p{L}\p{N}_-]+/gu, "_");
  link.download = `codes${coder ? `_${coder}` : ""}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  saved = true;
}

document.addEventListener("keydown", (event) => {
  if (event.target === find("coder")) {
    if (event.key === "Enter" || event.key === "Escape") find("text").focus();
    return;
  }
  const undoing = event.key === "Backspace" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z");
  if (undoing && typed) {
    typed = "";
    show();
  } else if (undoing) undo();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "ArrowLeft") move(at - 1);
  else if (event.key === "ArrowRight") move(at + 1);
  else if (event.key === "Escape") {
    typed = "";
    show();
  } else if (event.key === " " && event.target.tagName !== "BUTTON") nextOpen();
  else if (/^[0-9a-z]$/i.test(event.key) && !event.repeat) {
    const begun = typed + event.key.toLowerCase();
    const chosen = sheet.categories.find(({ key }) => key === begun);
    if (chosen) code(chosen.name);
    else {
      // A key that begins no category's starts anew, so that a slip never becomes a code.
      typed = sheet.categories.some(({ key }) => key.startsWith(begun)) ? begun : "";
      show();
    }
  } else return;
  event.preventDefault();
});

find("previous").addEventListener("click", () => move(at - 1));
find("next").addEventListener("click", () => move(at + 1));
find("open").addEventListener("click", nextOpen);
find("undo").addEventListener("click", undo);
find("export").addEventListener("click", save);
find("coder").addEventListener("input", store);
window.addEventListener("beforeunload", (event) => {
  if (!saved && find("warning").hidden === false) event.preventDefault();
});
restore();
show();
