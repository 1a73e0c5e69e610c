const content = JSON.parse(dataElements()[0].textContent);
const rows = content.rows;
let history = []; // [item, the label it had before], of this tab
let at = 0;
let typed = "";

const buttons = content.answers.map(({ name, key }) => {
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
  const { item } = rows[at];
  content.answers.forEach(({ name, key }, number) => {
    buttons[number].setAttribute("aria-pressed", String(name === labels.get(item)?.label));
    buttons[number].classList.toggle("away", !key.startsWith(typed));
  });
  find("typed").textContent = typed ? `${typed} …` : "";
  find("bar").max = rows.length;
  find("bar").value = labels.size;
  find("count").textContent = `${labels.size} of ${rows.length}`;
  find("previous").disabled = at === 0;
  find("next").disabled = at === rows.length - 1;
  find("open").disabled = labels.size === rows.length;
  find("undo").disabled = !history.length;
}

function move(to) {
  at = Math.min(Math.max(to, 0), rows.length - 1);
  const { date, text } = rows[at];
  find("place").textContent = `${at + 1} of ${rows.length}${date ? `, ${date}` : ""}`;
  find("text").textContent = text;
  find("text").scrollTop = 0;
  typed = "";
  show();
}

function label(answer) {
  const { item } = rows[at];
  history.push([item, labels.get(item)?.label ?? ""]);
  give(item, answer);
  move(at + 1);
}

function undo() {
  if (!history.length) return;
  const [item, before] = history.pop();
  give(item, before);
  move(rows.findIndex((row) => row.item === item));
}

function nextOpen() {
  const order = [...rows.keys()];
  const found = [...order.slice(at + 1), ...order.slice(0, at + 1)].find((row) => !labels.has(rows[row].item));
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

document.addEventListener("keydown", (event) => {
  if (document.body.classList.contains("asking")) return;
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

find("question").textContent = content.question;
find("codebook").textContent = content.codebook;
find("codebook").parentElement.hidden = !content.codebook;
find("previous").addEventListener("click", () => move(at - 1));
find("next").addEventListener("click", () => move(at + 1));
find("open").addEventListener("click", nextOpen);
find("undo").addEventListener("click", undo);
annotate({
  page: content.id,
  items: rows.map(({ item }) => item),
  answers: content.answers.map(({ name }) => name),
  show,
  begin: () => move(Math.max(rows.findIndex(({ item }) => !labels.has(item)), 0)),
});
