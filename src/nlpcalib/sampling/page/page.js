const content = JSON.parse(dataElements()[0].textContent);
const { rows, kinds = [], names = {} } = content;
const columns = kinds.length > 1 ? kinds.map(({ name }) => name) : ["label"];
const COUNTRY_KEYS = "123456789abcdefghijklmnopqrstuvwxyz";
const CANNOT_TELL = "cannot tell";
const MARK = /^~?([A-Z][A-Z0-9-]+(>([A-Z][A-Z0-9-]+)?)?|>[A-Z][A-Z0-9-]+)$/;
let history = []; // [item, column, the label it had before], of this tab
let at = 0;
let kind = 0; // of the item, its place in `kinds`
let typed = "";
let source = null; // the first half of a mark whose target is asked for; "" if no country is named
const others = new Map(rows.map(({ item }) => [item, []])); // codes of countries that an item does not name

const buttons = content.answers.map(({ name, key }) => {
  const button = keyed(key, name);
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

function keyed(key, name) {
  const button = element("button");
  button.append(element("kbd", "", key), element("span", "", name));
  return button;
}

const labelOf = (item, column) => labels.get(slot(item, column))?.label ?? "";
const isDone = ({ item }) => columns.every((column) => labelOf(item, column));
const marks = (column) => labelOf(rows[at].item, column).split(" ").filter((mark) => MARK.test(mark));
const nameOf = (code) => names[code] ?? code;

function show() {
  const { item } = rows[at];
  const done = rows.filter(isDone).length;
  content.answers.forEach(({ name, key }, number) => {
    buttons[number].setAttribute("aria-pressed", String(name === labelOf(item, "label")));
    buttons[number].classList.toggle("away", !key.startsWith(typed));
  });
  find("typed").textContent = typed ? `${typed} …` : "";
  find("bar").max = rows.length;
  find("bar").value = done;
  find("count").textContent = `${done} of ${rows.length}`;
  find("previous").disabled = at === 0;
  find("next").disabled = at === rows.length - 1;
  find("open").disabled = done === rows.length;
  find("undo").disabled = !history.length;
  if (kinds.length) showKinds();
}

function move(to) {
  at = Math.min(Math.max(to, 0), rows.length - 1);
  const { item, date, text } = rows[at];
  find("place").textContent = `${at + 1} of ${rows.length}${date ? `, ${date}` : ""}`;
  find("text").textContent = text;
  find("text").scrollTop = 0;
  typed = "";
  source = null;
  kind = Math.max(columns.findIndex((column) => !labelOf(item, column)), 0);
  show();
}

function put(item, column, answer) {
  history.push([item, column, labelOf(item, column)]);
  give(slot(item, column), answer);
}

function label(answer) {
  put(rows[at].item, "label", answer);
  move(at + 1);
}

function undo() {
  if (!history.length) return;
  const [item, column, before] = history.pop();
  give(slot(item, column), before);
  move(rows.findIndex((row) => row.item === item));
  kind = columns.indexOf(column);
  show();
}

function nextOpen() {
  const order = [...rows.keys()];
  const found = [...order.slice(at + 1), ...order.slice(0, at + 1)].find((row) => !isDone(rows[row]));
  if (found !== undefined) move(found);
}

function type(key) {
  const begun = typed + key;
  const chosen = content.answers.find((answer) => answer.key === begun);
  if (chosen) label(chosen.name);
  else {
    // A key that begins no answer's starts anew, so that a slip never becomes a label.
    typed = content.answers.some((answer) => answer.key.startsWith(begun)) ? begun : "";
    show();
  }
}

// The countries that may be marked: those that the item names, in its order, then others.
function countries() {
  const marked = columns.flatMap((column) => marks(column).flatMap((mark) => mark.replace("~", "").split(">"))).filter(Boolean);
  return [...new Set([...rows[at].countries, ...others.get(rows[at].item), ...marked])];
}

function markText(mark) {
  const [from, to] = mark.replace("~", "").split(">");
  const pair = to === undefined ? nameOf(from) : `${from ? nameOf(from) : "no country"} → ${to ? nameOf(to) : "no country"}`;
  return mark.startsWith("~") ? `${pair}, only mentioned` : pair;
}

function showKinds() {
  find("kinds").replaceChildren(...kinds.map(({ name, definition }, number) => {
    const entry = element("li", number === kind ? "current" : "");
    const head = element("button", "kind", name);
    head.setAttribute("aria-pressed", String(number === kind));
    head.addEventListener("click", () => choose(number));
    const found = marks(columns[number]).map((mark) => {
      const chip = element("button", "mark", `${markText(mark)} ✕`);
      chip.title = "Take this mark back";
      chip.addEventListener("click", () => change(number, (all) => all.filter((each) => each !== mark)));
      return chip;
    });
    const answer = labelOf(rows[at].item, columns[number]);
    const state = found.length ? [] : [element("span", "state", answer || "no answer yet")];
    entry.append(head, ...found, ...state, element("p", "hint", definition));
    return entry;
  }));
  find("asked").textContent = source === null
    ? `${kinds[kind].name}: ${kinds[kind].pairs ? "who does it?" : "which country?"}`
    : `${kinds[kind].name}: ${source ? nameOf(source) : "no country"} → against whom? Enter: no country is named`;
  find("countries").replaceChildren(...countries().map((code, number) => {
    const button = keyed(COUNTRY_KEYS[number] ?? "", nameOf(code));
    button.addEventListener("click", () => pick(code));
    const entry = element("li");
    entry.append(button);
    return entry;
  }));
}

function choose(number) {
  kind = Math.min(Math.max(number, 0), kinds.length - 1);
  source = null;
  show();
}

function change(number, changed) {
  put(rows[at].item, columns[number], changed(marks(columns[number])).join(" "));
  show();
}

function add(mark) {
  source = null;
  change(kind, (all) => (all.includes(mark) ? all : [...all, mark]));
}

// A country, "" for none, is the source of a pair, then its target; of a kind without pairs it is the mark.
function pick(code) {
  if (!kinds[kind].pairs) {
    if (code) add(code);
  } else if (source === null) {
    source = code;
    show();
  } else if (source || code) add(code ? `${source}>${code}` : source);
}

// End a kind: what has no mark is none.
function end(answer = "none") {
  if (source !== null) return pick("");
  if (!marks(columns[kind]).length) put(rows[at].item, columns[kind], answer);
  const left = columns.findIndex((column) => !labelOf(rows[at].item, column));
  if (left < 0) return move(at + 1);
  return choose(left);
}

// Nothing more: each kind without an answer has none.
function nothing() {
  columns.filter((column) => !labelOf(rows[at].item, column)).forEach((column) => put(rows[at].item, column, "none"));
  move(at + 1);
}

function mention() {
  const all = marks(columns[kind]);
  if (!all.length) return;
  const last = all[all.length - 1];
  change(kind, () => [...all.slice(0, -1), last.startsWith("~") ? last.slice(1) : `~${last}`]);
}

function another() {
  const wanted = find("another").value.trim().toLowerCase();
  const code = Object.keys(names).find((each) => [each, names[each]].some((name) => name.toLowerCase() === wanted));
  find("unknown").hidden = Boolean(code) || !wanted;
  if (!code) return;
  find("another").value = "";
  others.get(rows[at].item).push(code);
  find("text").focus();
  pick(code);
}

const MARKING = {
  Enter: () => end(), "?": () => end(CANNOT_TELL), 0: nothing, ".": () => pick(""), "~": mention,
  "+": () => find("another").focus(), ArrowUp: () => choose(kind - 1), ArrowDown: () => choose(kind + 1),
};

function typeMark(key) {
  const code = countries()[COUNTRY_KEYS.indexOf(key)];
  if (code && COUNTRY_KEYS.includes(key)) pick(code);
}

document.addEventListener("keydown", (event) => {
  if (document.body.classList.contains("asking")) return;
  if (event.target.tagName === "INPUT") {
    if (event.key === "Enter" && event.target.id === "another") another();
    else if (event.key === "Enter" || event.key === "Escape") find("text").focus();
    else return;
    event.preventDefault();
    return;
  }
  const undoing = event.key === "Backspace" || ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z");
  if ((undoing && (typed || source !== null)) || event.key === "Escape") {
    typed = "";
    source = null;
    show();
  } else if (undoing) undo();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "ArrowLeft") move(at - 1);
  else if (event.key === "ArrowRight") move(at + 1);
  else if (event.key === " " && event.target.tagName !== "BUTTON") nextOpen();
  else if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  else if (kinds.length && Object.hasOwn(MARKING, event.key) && !event.repeat) MARKING[event.key]();
  else if (/^[0-9a-z?]$/i.test(event.key) && !event.repeat) (kinds.length ? typeMark : type)(event.key.toLowerCase());
  else return;
  event.preventDefault();
});

find("question").textContent = content.question;
find("codebook").textContent = content.codebook;
find("codebook").parentElement.hidden = !content.codebook;
find("marking").hidden = !kinds.length;
find("keys").hidden = kinds.length > 0;
find("mark-keys").hidden = !kinds.length;
find("names").append(...Object.values(names).map((name) => Object.assign(element("option"), { value: name })));
find("previous").addEventListener("click", () => move(at - 1));
find("next").addEventListener("click", () => move(at + 1));
find("open").addEventListener("click", nextOpen);
find("undo").addEventListener("click", undo);
[["done", () => end()], ["nothing", nothing]].forEach(([name, act]) => find(name).addEventListener("click", (event) => {
  act();
  if (event.detail) find("text").focus();
}));
annotate({
  page: content.id,
  items: rows.map(({ item }) => item),
  columns,
  accepts: kinds.length
    ? (given) => ["none", CANNOT_TELL].includes(given) || given.split(" ").every((mark) => MARK.test(mark))
    : (given) => content.answers.some(({ name }) => name === given),
  show,
  begin: () => move(Math.max(rows.findIndex((row) => !isDone(row)), 0)),
});
