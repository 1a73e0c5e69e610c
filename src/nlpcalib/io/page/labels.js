// The labels that a page asks an annotator for. The browser's database has a log with an entry for each label, added
// when the label is given. Tabs, annotators and pages share the log, and no entry replaces another: the last of an item
// counts, unless an earlier one is final. `localStorage` would reach the disk seconds later, and a reload before that
// can show an older state.

const LOG = "labels";
const labels = new Map(); // what `slot` returns to {label, final}: this annotator's, of all tabs
const tabs = new BroadcastChannel("nlpcalib labels");
let sheet = null; // what `annotate` was given
let annotator = "";
let database = null; // null while no entry can be written
let read = 0; // number of the last entry that was read
let unkept = []; // entries that are not on the disk
let writing = false;
let problem = ""; // why entries stay off the disk
let saved = true; // whether a CSV has all labels

// Ask who annotates, read that annotator's labels and call `begin`. After that `show` is called whenever labels change.
// `page` is the page's id, `items` has all items in the order of the CSV, `accepts` whether a text is a label, `columns`
// the names of what each item has a label of, if it is more than one.
function annotate(given) {
  const columns = given.columns ?? ["label"];
  const places = columns.flatMap((column) => given.items.map((item) => slot(item, column)));
  sheet = { ...given, columns, known: new Set(places) };
  document.body.classList.add("asking");
  find("who").addEventListener("submit", (event) => {
    event.preventDefault();
    begin(find("name").value.trim().normalize());
  });
  find("change").addEventListener("click", () => {
    window.name = "";
    location.reload();
  });
  find("save").addEventListener("click", save);
  find("rescue").addEventListener("click", save);
  find("load").addEventListener("change", async (event) => load(await event.target.files[0].text()));
  tabs.addEventListener("message", readLog);
  document.addEventListener("visibilitychange", readLog);
  window.addEventListener("beforeunload", (event) => {
    if (unkept.length && !saved) event.preventDefault();
  });
  find("name").focus();
  // The tab keeps the name until it is closed: whoever opens the page anew is asked. A name in `sessionStorage` could be
  // missing after a reload on a busy machine.
  if (window.name.startsWith(inTab(""))) begin(window.name.slice(inTab("").length));
  else showNames();
}

// Return what the label of an item in a column is kept under.
function slot(item, column = "label") {
  return column === "label" ? item : `${item}\n${column}`;
}

function inTab(name) {
  return `nlpcalib annotator ${sheet.page} ${name}`;
}

async function showNames() {
  const names = new Set((await entries([sheet.page], [sheet.page, []])).map((entry) => entry.annotator));
  find("known").textContent = names.size ? `Labels on this page are by ${[...names].sort().join(", ")}.` : "";
}

async function begin(name) {
  if (!name || annotator) return;
  annotator = name;
  window.name = inTab(name);
  find("annotator").textContent = name;
  await readLog();
  document.body.classList.remove("asking");
  report();
  sheet.begin();
}

const settled = (request) => new Promise((resolve, reject) => {
  request.onsuccess = request.oncomplete = () => resolve(request.result);
  request.onerror = request.onabort = ({ target }) => reject(request.error ?? target.error);
});

async function openLog() {
  const request = indexedDB.open("nlpcalib annotation", 1);
  request.onupgradeneeded = () => {
    const log = request.result.createObjectStore(LOG, { keyPath: "number", autoIncrement: true });
    log.createIndex("annotator", ["page", "annotator", "number"]);
  };
  database = await settled(request);
  database.onclose = reopen;
}

// The browser closes a database whose data are deleted: what this page has is added again.
function reopen() {
  database = null;
  read = 0;
  unkept = [...labels].map(([item, { label, final }]) => ({ page: sheet.page, annotator, item, label, final }));
  setTimeout(keep, 1000);
}

// Return the entries whose index is in a range, none if the database cannot be read.
async function entries(after, last) {
  try {
    if (!database) await openLog();
    const range = IDBKeyRange.bound(after, last, true);
    return await settled(database.transaction(LOG).objectStore(LOG).index("annotator").getAll(range));
  } catch (error) {
    fail(error);
    return [];
  }
}

// Take what is new in the log: labels that were kept before, and those of other tabs.
async function readLog() {
  if (!annotator) return;
  const own = [sheet.page, annotator];
  for (const entry of await entries([...own, read], [...own, Infinity])) {
    if (entry.number > read) take(entry);
    read = Math.max(read, entry.number);
  }
  unkept.forEach(take);
  if (!document.body.classList.contains("asking")) sheet.show();
}

function take({ item, label, final }) {
  if (!sheet.known.has(item) || labels.get(item)?.final) return;
  if (label && sheet.accepts(label)) labels.set(item, { label, final });
  else if (label === "") labels.delete(item);
}

// Give an item a label, or take it back with an empty one.
function give(item, label, final = false) {
  unkept.push({ page: sheet.page, annotator, item, label, final });
  take(unkept[unkept.length - 1]);
  saved = false;
  keep();
}

async function keep() {
  if (writing) {
    report();
    return;
  }
  writing = true;
  report();
  try {
    if (!database) await openLog();
    while (unkept.length) {
      const added = [...unkept];
      const change = database.transaction(LOG, "readwrite", { durability: "strict" });
      added.forEach((entry) => change.objectStore(LOG).add(entry));
      await settled(change);
      unkept = unkept.filter((entry) => !added.includes(entry));
      tabs.postMessage(null);
    }
    if (problem) {
      problem = "";
      readLog();
    }
  } catch (error) {
    fail(error);
  }
  writing = false;
  report();
}

function fail(error) {
  problem = error?.name ?? "unknown error";
  report();
}

function report() {
  const many = unkept.length;
  find("kept").value = many ? `${many} not kept yet` : "kept in this browser";
  find("save").disabled = !labels.size;
  find("warning").hidden = !problem || (saved && labels.size > 0);
  find("rescue").hidden = !labels.size;
  find("warning").firstElementChild.textContent = `This browser cannot keep labels (${problem}). `
    + (many ? `${many} of them are on this page alone: save them before you close it.` : "Save them before you close the page.");
}

// Save this annotator's labels, of all tabs.
async function save() {
  await readLog();
  const own = (item) => sheet.columns.map((column) => labels.get(slot(item, column))?.label ?? "");
  const rows = sheet.items.map((item) => [item, annotator, ...own(item)]);
  download(`labels_${fileName(annotator)}.csv`, [["item", "annotator", ...sheet.columns], ...rows]);
  saved = true;
  report();
}

// Take labels from a CSV that this page saved. Those of another annotator, and others than the page's own, stay out.
function load(text) {
  const [head, ...rows] = tableRows(text);
  const [item, who] = ["item", "annotator"].map((name) => head.indexOf(name));
  const cells = rows.flatMap((row) => sheet.columns.map((column) => ({
    at: slot(row[item], column), by: row[who], label: row[head.indexOf(column)],
  })));
  const others = new Set();
  let taken = 0;
  let different = 0;
  for (const { at: cell, by, label } of cells) {
    const own = labels.get(cell)?.label;
    if (!sheet.known.has(cell) || !label || !sheet.accepts(label)) continue;
    if (by && by.trim().normalize() !== annotator) others.add(by);
    else if (own && own !== label) different += 1;
    else {
      if (!own) give(cell, label);
      taken += 1;
    }
  }
  find("notice").textContent = [
    taken ? `${taken} labels are in that file.` : `That file has no label of these items by ${annotator}.`,
    others.size ? `Labels by ${[...others].join(", ")} stay out.` : "",
    different ? `${different} items have another label here, which stays.` : "",
  ].filter(Boolean).join(" ");
  sheet.show();
}
