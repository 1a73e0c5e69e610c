"use strict";

const find = (id) => document.getElementById(id);
const dataElements = () => [...document.querySelectorAll("script.data")];

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function percent(probability) {
  if (probability > 0 && probability < 0.005) return "<1 %";
  if (probability < 1 && probability >= 0.995) return ">99 %";
  return `${Math.round(100 * probability)} %`;
}

// Return a row of a table in CSV, as nlpcalib.io.spreadsheet writes it: what a spreadsheet would take for a formula
// begins with an apostrophe.
function tableRow(cells) {
  const field = (value) => {
    const number = typeof value === "number" || /^'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(value);
    const cell = !number && /^'*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  return `${cells.map(field).join(",")}\n`;
}

// The mentions of each sentence, for each array of mentions: a novel has too many to look for them in every sentence.
const mentionsOf = new WeakMap();

function mentionsIn(mentions, number) {
  if (!mentionsOf.has(mentions)) {
    const sentences = new Map();
    mentions.forEach((mention, index) => {
      if (!sentences.has(mention.sentence)) sentences.set(mention.sentence, []);
      sentences.get(mention.sentence).push(index);
    });
    mentionsOf.set(mentions, sentences);
  }
  return mentionsOf.get(mentions).get(number) ?? [];
}

// Write the words of sentence `number` into a node, with those of each of its mentions in a node within. The nodes of
// a mention, several if it crosses another, are added to `nodes` in its place; the first can have the focus.
function writeWords(parent, content, mentions, number, nodes) {
  const starting = content.words.map(() => []);
  mentionsIn(mentions, number).forEach((index) => starting[mentions[index].start].push(index));
  const end = (index) => mentions[index].end;
  const levels = new Map();
  const level = (index) => {
    if (levels.has(index)) return levels.get(index);
    const { start } = mentions[index];
    let highest = 0;
    for (let word = start; word < end(index); word += 1) {
      for (const other of starting[word]) {
        const inside = end(other) <= end(index) && (word > start || end(other) < end(index));
        if (inside && other !== index) highest = Math.max(highest, 1 + level(other));
      }
    }
    levels.set(index, Math.min(highest, 5));
    return levels.get(index);
  };
  let open = []; // [mention, node], the innermost last
  const innermost = () => (open.length ? open[open.length - 1][1] : parent);
  const begin = (index) => {
    const node = element("span", "mention");
    node.dataset.mention = index;
    node.style.setProperty("--level", level(index));
    if (!nodes[index].length) {
      node.tabIndex = 0;
      node.setAttribute("role", "button");
    }
    nodes[index].push(node);
    innermost().append(node);
    open.push([index, node]);
  };
  content.words.forEach((word, position) => {
    starting[position].sort((a, b) => end(b) - end(a)).forEach(begin);
    innermost().append(element("span", "word", word));
    const lasting = open.filter(([index]) => end(index) > position + 1);
    if (lasting.length < open.length) {
      // A mention that crosses one which ends here goes on in a node of its own.
      const kept = open.findIndex(([index]) => end(index) <= position + 1);
      open = open.slice(0, kept);
      lasting.slice(kept).forEach(([index]) => begin(index));
    }
    if (content.space_after[position] ?? true) innermost().append(" ");
  });
}

// Return the rows of a CSV that `tableRow` wrote.
function tableRows(text) {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.replace(/^\ufeff/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const cell = quoted === undefined ? plain : quoted.replaceAll('""', '"');
    rows[rows.length - 1].push(/^'+[=+\-@\t\r\n＝＋－＠]/.test(cell) ? cell.slice(1) : cell);
    if (end !== ",") rows.push([]);
  }
  return rows;
}

function fileName(text) {
  return text.replace(/[^\p{L}\p{N}_-]+/gu, "_");
}

// Let the browser save a table, with the mark of UTF-8.
function download(name, rows) {
  const link = element("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", ...rows.map(tableRow)], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
