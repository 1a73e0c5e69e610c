// Okabe and Ito's colours that stand out on white; with strokes and numbers, colour is never the only sign.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b3508c", "#b07a00", "#3a8fc4"];
const STROKES = ["solid", "double", "dashed"];
const FRESH = "#59636e";
const LISTED = 8;

const sources = dataElements();
let shown; // the document's answer, and what is derived from it
let sample = -1; // number of the sample shown, -1 for the decoded entities
let pinned = null;

function style(entity) {
  if (typeof entity !== "number") return { colour: FRESH, stroke: "dotted" };
  return {
    colour: COLOURS[entity % COLOURS.length],
    stroke: STROKES[Math.floor(entity / COLOURS.length) % STROKES.length],
  };
}

function paint(node, entity) {
  const { colour, stroke } = style(entity);
  node.style.setProperty("--colour", colour);
  node.style.setProperty("--stroke", stroke);
}

function load(number) {
  const answer = JSON.parse(sources[number].textContent);
  // Entities of several mentions are numbered for the page, so that neighbours have different colours.
  const entities = answer.entities.filter((entity) => entity.mentions.length > 1);
  const decoded = new Array(answer.mentions.length).fill(null);
  entities.forEach((entity, index) => entity.mentions.forEach((mention) => { decoded[mention] = index; }));
  const marginals = answer.mentions.map(() => new Map());
  for (const [earlier, later, probability] of answer.pairs) {
    marginals[earlier].set(later, probability);
    marginals[later].set(earlier, probability);
  }
  shown = { answer, entities, decoded, marginals, nodes: answer.mentions.map(() => []), touched: [] };
  sample = -1;
  pinned = null;
  const text = find("text");
  text.replaceChildren(...paragraphs(answer.sentences));
  const slider = find("sample");
  slider.max = answer.samples.length;
  slider.hidden = !answer.samples.length;
  ask(null);
  cluster();
}

// Return the document's paragraphs and lines as in the text; another speaker begins a line.
function paragraphs(sentences) {
  const made = [];
  let speaker = null;
  sentences.forEach((content, number) => {
    const turn = content.speaker !== speaker;
    speaker = content.speaker;
    if (!made.length || content.break || turn) {
      made.push(element("p", content.break === "line" || (turn && !content.break) ? "line" : "paragraph"));
      made[made.length - 1].dir = "ltr";
      if (speaker !== null) made[made.length - 1].append(element("bdi", "speaker", speaker));
    }
    const sentence = element("span", "sentence");
    made[made.length - 1].append(sentence, content.space_after.at(-1) ?? true ? " " : "");
    writeWords(sentence, content, shown.answer.mentions, number, shown.nodes);
  });
  return made;
}

// Return for each mention of the sample the decoded entity that its own one is most like, or a letter, or null if alone.
function labels(entities) {
  const clusters = new Map();
  entities.forEach((entity, mention) => {
    if (!clusters.has(entity)) clusters.set(entity, []);
    clusters.get(entity).push(mention);
  });
  const overlaps = [];
  for (const [entity, mentions] of clusters) {
    if (mentions.length < 2) continue;
    const counts = new Map();
    for (const mention of mentions) {
      const decoded = shown.decoded[mention];
      if (decoded !== null) counts.set(decoded, (counts.get(decoded) ?? 0) + 1);
    }
    for (const [decoded, count] of counts) overlaps.push([count, entity, decoded]);
  }
  overlaps.sort((a, b) => b[0] - a[0] || a[1] - b[1] || a[2] - b[2]);
  const names = new Map();
  const taken = new Set();
  for (const [, entity, decoded] of overlaps) {
    if (names.has(entity) || taken.has(decoded)) continue;
    names.set(entity, decoded);
    taken.add(decoded);
  }
  let fresh = 0;
  for (const [entity, mentions] of clusters) {
    if (mentions.length > 1 && !names.has(entity)) {
      names.set(entity, letters(fresh));
      fresh += 1;
    }
  }
  return entities.map((entity) => names.get(entity) ?? null);
}

function letters(number) {
  const rest = Math.floor(number / 26);
  return (rest ? letters(rest - 1) : "") + String.fromCharCode(97 + (number % 26));
}

function labelText(entity) {
  return typeof entity === "number" ? String(entity + 1) : entity;
}

// More likely wrong than right; entities of samples have no probability of their own.
function isDoubtful(entity) {
  return typeof entity === "number" && shown.entities[entity].coherence < 0.5;
}

function cluster() {
  const now = sample < 0 ? shown.decoded : labels(shown.answer.samples[sample]);
  let moved = 0;
  shown.nodes.forEach((nodes, mention) => {
    const entity = now[mention];
    const differs = entity !== shown.decoded[mention];
    moved += differs;
    nodes.forEach((node, part) => {
      node.classList.toggle("alone", entity === null);
      node.classList.toggle("moved", differs);
      node.classList.toggle("doubtful", isDoubtful(entity));
      node.classList.toggle("last", entity !== null && part === nodes.length - 1);
      node.dataset.label = entity === null ? "" : labelText(entity);
      paint(node, entity);
    });
  });
  find("decoded").setAttribute("aria-pressed", String(sample < 0));
  find("sample").value = sample + 1;
  find("which").textContent = sample < 0
    ? `${now.length} mentions; ${shown.entities.length} ${shown.entities.length === 1 ? "entity has" : "entities have"} several`
    : `Sample ${sample + 1} of ${shown.answer.samples.length}: ${moved} mentions differ (dashed)`;
  list(now);
}

function list(now) {
  const counts = new Map();
  for (const entity of now) if (entity !== null) counts.set(entity, (counts.get(entity) ?? 0) + 1);
  const head = element("div", "entity head");
  for (const title of ["", "Entity", "size", "sure", "whole"]) {
    head.append(element("span", title && title !== "Entity" ? "number" : "", title));
  }
  // The longest chains first: they are what the text is about.
  const order = shown.entities.map((_, index) => index);
  order.sort((a, b) => shown.entities[b].mentions.length - shown.entities[a].mentions.length || a - b);
  const rows = order.map((index) => {
    const entity = shown.entities[index];
    const row = element("button", isDoubtful(index) ? "entity doubtful" : "entity");
    const label = element("span", "label", labelText(index));
    paint(label, index);
    const size = sample < 0 ? entity.mentions.length : `${entity.mentions.length}→${counts.get(index) ?? 0}`;
    const called = element("span", "name", name(entity));
    called.title = name(entity);
    row.append(label, called);
    for (const value of [size, percent(entity.coherence), percent(entity.probability)]) {
      row.append(element("span", "number", value));
    }
    row.addEventListener("click", () => choose(index));
    return row;
  });
  const alone = now.filter((entity) => entity === null).length;
  const meanings = element("p", "hint", "size: number of mentions. sure: the mean probability that two of them are one entity; below 50 % the "
    + "entity is pale. whole: the probability that the entity is exactly these mentions.");
  const note = element("p", "hint", `Entities of one mention${sample < 0 ? "" : " here"}: ${alone}.`);
  find("entities").replaceChildren(meanings, head, ...rows, note);
  if (shown.answer.window) {
    find("entities").append(element("p", "hint", `A long document: antecedents were looked for among the `
      + `${shown.answer.window} mentions before each one, and those of names in the whole text. Probabilities of pairs `
      + `below ${percent(shown.answer.at_least)}, and of mentions farther apart, are not in this page.`));
  }
}

function name(entity) {
  return entity.name ?? shown.answer.mentions[entity.mentions[0]].text;
}

function choose(entity) {
  pinned = null;
  ask(null);
  document.body.classList.add("asked");
  shown.touched = [...shown.entities[entity].mentions];
  for (const mention of shown.touched) {
    shown.nodes[mention].forEach((node) => node.classList.add("member"));
  }
  shown.nodes[shown.entities[entity].mentions[0]][0].scrollIntoView({ block: "center" });
}

// Show a mention's probabilities: shades for its marginals, and a list of its antecedents.
function ask(mention) {
  document.body.classList.toggle("asked", mention !== null);
  for (const other of shown.touched) {
    for (const node of shown.nodes[other]) {
      node.classList.remove("member", "current");
      node.style.setProperty("--heat-share", "0%");
    }
  }
  shown.touched = mention === null ? [] : [mention, ...shown.marginals[mention].keys()];
  for (const other of shown.touched) {
    for (const node of shown.nodes[other]) {
      node.classList.toggle("current", other === mention);
      node.style.setProperty("--heat-share", `${100 * (other === mention ? 0 : shown.marginals[mention].get(other))}%`);
    }
  }
  const panel = find("mention");
  if (mention === null) {
    panel.replaceChildren(
      element("h2", "", "Probabilities"),
      element("p", "hint", "Point at a mention, tap it, or move to it with Tab. The others are shaded by the probability "
        + "that they belong to the same entity. Click to keep the selection, press Escape to end it."),
      element("p", "hint", shown.answer.samples.length
        ? "Step through the samples to see whole clusterings, drawn with their probabilities."
        : ""),
    );
    return;
  }
  const content = shown.answer.mentions[mention];
  const title = element("h2");
  title.append(element("bdi", "", content.text));
  const rows = content.antecedents.slice(0, LISTED).map(([other, probability]) => row(probability, other));
  const rest = content.antecedents.slice(LISTED).reduce((sum, [, probability]) => sum + probability, 0);
  const others = rest + content.other_antecedents;
  const together = [...shown.marginals[mention]].sort((a, b) => b[1] - a[1]).slice(0, LISTED);
  panel.replaceChildren(
    title,
    ...belonging(mention, content),
    element("h3", "", "Refers back to"),
    element("p", "hint", "Its antecedent: the earlier mention that it continues. These add up to 100 %."),
    row(content.new, null, "none: a new entity"),
    ...rows,
    ...(others >= 5e-7 ? [row(others, null, "others together")] : []),
    element("h3", "", "Same entity as"),
    element("p", "hint", "By any chain of antecedents, over all clusterings. Each is a probability by itself."),
    ...together.map(([other, probability]) => row(probability, other)),
    ...(together.length ? [] : [element("p", "hint", `No mention with ${percent(shown.answer.at_least)} or more.`)]),
  );
  panel.scrollTop = 0;
}

function belonging(mention, content) {
  const entity = shown.decoded[mention];
  if (entity === null) {
    return [element("p", "", `Alone in its entity: ${percent(content.membership)}`),
      element("p", "hint", "The probability that nothing else in the text is the same.")];
  }
  const line = element("p", "", "Entity ");
  const label = element("span", "label", labelText(entity));
  paint(label, entity);
  line.append(label, " ", element("bdi", "", name(shown.entities[entity])), `: ${percent(content.membership)}`);
  return [line, element("p", "hint", "The mean probability that it is the same as another mention of this entity.")];
}

function row(probability, mention, text) {
  const made = element("div", "row");
  const meter = element("meter");
  meter.value = probability;
  meter.setAttribute("aria-hidden", "true");
  const content = shown.answer.mentions[mention];
  const label = element("span", "text", content ? content.text : text);
  if (content) label.title = `${content.text} (sentence ${content.sentence + 1})`;
  else label.classList.add("hint");
  made.append(element("span", "number", percent(probability)), meter, label);
  return made;
}

function show(number) {
  sample = number;
  cluster();
}

function mentionOf(event) {
  const node = event.target.closest?.(".mention");
  return node ? Number(node.dataset.mention) : null;
}

function pin(mention) {
  pinned = pinned === mention ? null : mention;
  ask(pinned);
}

const text = find("text");
text.addEventListener("pointerover", (event) => { if (pinned === null && mentionOf(event) !== null) ask(mentionOf(event)); });
text.addEventListener("pointerleave", () => { if (pinned === null) ask(null); });
text.addEventListener("focusin", (event) => { if (pinned === null && mentionOf(event) !== null) ask(mentionOf(event)); });
text.addEventListener("click", (event) => pin(mentionOf(event)));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") pin(null);
  if ((event.key === "Enter" || event.key === " ") && mentionOf(event) !== null) {
    event.preventDefault();
    pin(mentionOf(event));
  }
});
find("decoded").addEventListener("click", () => show(-1));
find("sample").addEventListener("input", (event) => show(Number(event.target.value) - 1));

const chooser = find("documents");
sources.forEach((source, number) => {
  const id = JSON.parse(source.textContent).document;
  const option = element("option", "", id);
  option.value = number;
  chooser.append(option);
});
chooser.addEventListener("change", () => load(Number(chooser.value)));
find("chooser").hidden = sources.length < 2;
load(0);
