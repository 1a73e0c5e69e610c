const LISTED = 6; // antecedents of a choice that have a row
const LONG = 8; // words of a mention that are quoted
const NEAR = 6; // words on each side of a verb in the list

const [about, ...records] = dataElements().map((node) => JSON.parse(node.textContent));
const events = records.flatMap((record) => record.events.map((event) => (
  { ...event, record, item: `${record.document} ${event.country}` })));
let listed = []; // events that the filter leaves, in order
let shown = null; // the event that is read
let candidate = null; // place of the candidate whose marginals shade the text
let pinned = null; // place of a mention
let nodes = []; // of each mention of the document

// Return an element with parts in it, of which texts stay texts.
function filled(name, className, ...parts) {
  const made = element(name, className);
  made.append(...parts);
  return made;
}

function roles(record) {
  return record.roles.map((role) => ({ agent: "by", patient: "on" })[role]).join(" or ");
}

function quoted(record, place) {
  const mention = record.mentions[place];
  const { words, space_after: spaces } = record.sentences[mention.sentence];
  const end = Math.min(mention.end, mention.start + LONG);
  let text = "";
  for (let word = mention.start; word < end; word += 1) text += words[word] + ((spaces[word] ?? true) ? " " : "");
  return text.trim() + (end < mention.end ? " …" : "");
}

function sentenceOf(record, place) {
  return record.mentions[place].sentence + 1;
}

function antecedentText(record, antecedent) {
  if (antecedent === "new") return "none: a new entity";
  if (antecedent === "others") return "others together";
  return `${quoted(record, antecedent)} (${sentenceOf(record, antecedent)})`;
}

function nameOf(code) {
  return Object.hasOwn(about.names, code) ? about.names[code] : code;
}

function chosen() {
  return about.lists[find("list").value].map((item) => events.find((event) => event.item === item));
}

// Return the words near the verb that most probably has the event.
function snippet(event) {
  const { record } = event;
  const shares = record.candidates.map((each) => each.countries[event.country] ?? 0);
  const each = record.candidates[shares.indexOf(Math.max(...shares))];
  if (!each) return "";
  const { words, space_after: spaces } = record.sentences[each.sentence];
  const first = Math.max(each.verb - NEAR, 0);
  const last = Math.min(each.verb + NEAR + 1, words.length);
  let text = first ? "… " : "";
  for (let word = first; word < last; word += 1) text += words[word] + ((spaces[word] ?? true) ? " " : "");
  return text.trim() + (last < words.length ? " …" : "");
}

function arrange() {
  const country = find("country").value;
  listed = chosen().filter((event) => !country || event.country === country);
  find("events").replaceChildren(...listed.map(row));
  show(listed.includes(shown) ? shown : listed[0] ?? null);
}

function row(event) {
  const made = element("button", "event");
  const code = filled("span", "code", nameOf(event.country));
  if (event.record.date) code.append(element("span", "date", event.record.date));
  made.append(
    element("span", "number", percent(event.probability)),
    code,
    element("span", "id", event.record.document),
    element("span", "snippet", snippet(event)),
  );
  made.addEventListener("click", () => show(event));
  return made;
}

function show(event) {
  shown = event;
  pinned = null;
  listed.forEach((each, place) => find("events").children[place].setAttribute("aria-current", String(each === event)));
  find("count").textContent = event ? `${listed.indexOf(event) + 1} of ${listed.length}` : "No events";
  for (const id of ["claim", "text", "mention", "reasons"]) find(id).replaceChildren();
  if (event === null) return;
  find("events").children[listed.indexOf(event)].scrollIntoView({ block: "nearest" });
  const { record } = event;
  const hint = filled("p", "hint", element("bdi", "", record.document), record.date ? `, ${record.date}` : "");
  find("claim").append(element("h2", "", `P(${claim(event)}) = ${percent(event.probability)}`), hint);
  hint.append(`. The best clustering has ${event.map_event ? "the" : "no such"} event.`);
  if (event.parsers?.length > 1) find("claim").append(parsers(event));
  find("claim").append(hinges(event));
  write(record);
  document.querySelector("main").scrollTop = 0;
  const shares = record.candidates.map((each) => each.countries[event.country]);
  choose(shares.indexOf(Math.max(...shares)));
  nodes[record.candidates[candidate].mention]?.[0]?.scrollIntoView({ block: "nearest" });
}

// Return what each sampled tree makes of the event; the text has the trees of the surest reading.
function parsers({ parsers: shares }) {
  const apart = Math.max(...shares) - Math.min(...shares) > 0.5;
  return filled("p", "parsers", element("b", "", apart ? "Trees disagree: " : "Trees agree: "),
    `${shares.map(percent).join(", ")}. Reasons are those of the trees with the highest probability.`);
}

function claim(event) {
  return `${event.record.query} ${roles(event.record)} ${nameOf(event.country)}`;
}

// Return the one sentence that a reader came for.
function hinges(event) {
  const { record } = event;
  const [choice] = event.choices;
  const told = element("p", "hinges");
  if (!choice) {
    told.append(event.probability > 0 && event.probability < 1
      ? "It depends on no single uncertain link." : "All samples agree.");
    return told;
  }
  const { link } = choice;
  const mention = (place) => [element("span", "quoted", quoted(record, place)), ` (sentence ${sentenceOf(record, place)})`];
  told.append(choice.share >= 0.5 ? "The event depends on " : "The event depends on more than one link, most of all on ",
    ...mention(choice.mention), " → ");
  if (link.antecedent === "others") told.append("one of several others");
  else told.append(...mention(link.antecedent), link.others ? " or another like it" : "");
  told.append(", which is ", element("b", "", percent(link.probability)), " probable: if so ",
    element("b", "", percent(link.if_so)), ", if not ", element("b", "", percent(link.if_not)), ".");
  return told;
}

function write(record) {
  const { mentions } = record;
  nodes = mentions.map(() => []);
  const written = record.sentences.map((sentence, place) => {
    const paragraph = element("p", "sentence");
    paragraph.dir = "ltr";
    paragraph.append(element("span", "place", String(place + 1)));
    if (sentence.speaker !== null) paragraph.append(element("bdi", "speaker", sentence.speaker));
    writeWords(paragraph, sentence, mentions, place, nodes);
    const words = paragraph.querySelectorAll(".word");
    for (const each of record.candidates) if (each.sentence === place) words[each.verb].classList.add("verb");
    for (const { sentence: where, end, countries } of mentions) {
      if (where === place && countries.length) words[end - 1].dataset.countries = countries.join(" ");
    }
    return paragraph;
  });
  find("text").replaceChildren(...written);
  const hinge = shown.choices.length ? [shown.choices[0].mention, shown.choices[0].link.antecedent] : [];
  for (const place of hinge) nodes[place]?.forEach((node) => node.classList.add("hinge"));
  const key = element("p", "", "Underlined: the verb and its agent or patient. Shaded, by probability: mentions of the same "
    + "entity. Dashed: the link that the event depends on. Raised: countries.");
  key.id = "key";
  find("text").append(key);
}

function choose(place) {
  candidate = place;
  const { record } = shown;
  const own = record.candidates[candidate].mention;
  record.mentions.forEach(({ marginals }, mention) => nodes[mention].forEach((node) => {
    node.classList.toggle("candidate", mention === own);
    // What is certain is not so dark that the words are hard to read.
    node.style.setProperty("--heat-share", `${Math.round(70 * marginals[candidate])}%`);
  }));
  find("reasons").replaceChildren(...candidates(), ...evidence(), ...shown.choices.flatMap(choiceRows));
  ask(null);
}

function candidates() {
  const { record } = shown;
  const rows = record.candidates.map((each, place) => {
    const flags = ["passive", "negated", "modal"].filter((flag) => each[flag]);
    const made = filled("button", "candidate-row",
      filled("span", "", element("span", "quoted", quoted(record, each.mention)),
        ` (${sentenceOf(record, each.mention)}), ${each.role} of ${each.lemma}`, flags.length ? `, ${flags.join(", ")}` : ""),
      filled("div", "hint", likely(each)));
    made.setAttribute("aria-pressed", String(place === candidate));
    made.addEventListener("click", () => choose(place));
    return made;
  });
  return [element("h2", "", record.candidates.length > 1 ? "Candidates" : "Candidate"), ...rows];
}

function likely(each) {
  const rows = Object.entries(each.countries).filter(([, probability]) => probability > 0);
  rows.sort((a, b) => b[1] - a[1]);
  const told = rows.slice(0, 3).map(([country, probability]) => `${nameOf(country)} ${percent(probability)}`);
  return told.length ? told.join(", ") : "of no country in any sample";
}

function evidence() {
  const { record } = shown;
  const rows = shown.evidence.map((place) => [record.mentions[place].marginals[candidate], place]);
  rows.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  return [
    element("h2", "", `${nameOf(shown.country)}: same entity as`),
    ...rows.map(([marginal, place]) => {
      const made = element("div", "row");
      const meter = element("meter");
      meter.value = marginal;
      meter.setAttribute("aria-hidden", "true");
      made.append(element("span", "number", percent(marginal)), meter, element("span", "text", antecedentText(record, place)));
      return made;
    }),
  ];
}

function choiceRows(choice) {
  const { record } = shown;
  const linked = (event) => (event > middle(choice)) === (choice.link.if_so > choice.link.if_not);
  const table = element("div", "options");
  for (const [text, className] of [["antecedent", "head"], ["probability", "head number"], ["event then", "head number"]]) {
    table.append(element("span", className, text));
  }
  const options = [...choice.options].sort((a, b) => b.probability - a.probability).slice(0, LISTED);
  for (const { antecedent, probability, event } of options) {
    const text = element("span", linked(event) ? "linked" : "", antecedentText(record, antecedent));
    text.title = text.textContent;
    table.append(text, element("span", "number", percent(probability)), element("span", "number", percent(event)));
  }
  return [
    filled("h2", "", element("span", "quoted", quoted(record, choice.mention)), ` (${sentenceOf(record, choice.mention)}) →`),
    table,
    element("p", "hint", `This choice explains ${percent(choice.share)} of the event’s variance.`),
  ];
}

// Return the probability of the event over all antecedents of a choice.
function middle({ link }) {
  return link.probability * link.if_so + (1 - link.probability) * link.if_not;
}

function ask(place) {
  document.body.classList.toggle("asked", place !== null);
  const { record } = shown;
  const mention = record.mentions[place];
  record.mentions.forEach(({ entity }, other) => nodes[other].forEach((node) => {
    node.classList.toggle("current", other === place);
    node.classList.toggle("member", entity === mention?.entity);
  }));
  const panel = find("mention");
  if (!mention) {
    panel.replaceChildren(element("p", "hint", "Point at a mention, move to it with Tab, or tap it: its chain in the best "
      + "clustering is framed. Click to keep the selection, press Escape to end it. j and k, or → and ←, go from event to event."));
    return;
  }
  const own = record.candidates[candidate];
  const together = record.mentions.filter(({ entity }) => entity === mention.entity).length;
  const size = mention.entity === record.mentions[own.mention].entity ? own.chain : together;
  panel.replaceChildren(
    filled("h2", "", element("bdi", "", quoted(record, place))),
    filled("p", "", "Shares an entity with ", element("span", "quoted", quoted(record, own.mention)),
      `: ${percent(mention.marginals[candidate])}`),
    element("p", "", mention.countries.length ? `Described with ${mention.countries.map(nameOf).join(", ")}` : "Described with no country"),
    element("p", "hint", size > together ? `In its chain: ${size} mentions, ${together} of them here`
      : `In its chain: ${together} ${together > 1 ? "mentions" : "mention"}${size === own.chain ? "" : " here"}`),
  );
}

function step(by) {
  const next = listed[listed.indexOf(shown) + by];
  if (next) show(next);
}

function mentionOf(event) {
  const node = event.target.closest?.(".mention");
  return node ? Number(node.dataset.mention) : null;
}

function pin(place) {
  if (shown === null) return;
  pinned = pinned === place ? null : place;
  ask(pinned);
}

const KEYS = {
  j: () => step(1), ArrowRight: () => step(1), k: () => step(-1), ArrowLeft: () => step(-1),
  Escape: () => pin(null),
};

const text = find("text");
text.addEventListener("pointerover", (event) => { if (pinned === null && shown) ask(mentionOf(event)); });
text.addEventListener("pointerleave", () => { if (pinned === null && shown) ask(null); });
text.addEventListener("focusin", (event) => { if (pinned === null && mentionOf(event) !== null) ask(mentionOf(event)); });
text.addEventListener("click", (event) => pin(mentionOf(event)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input") || event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.key === "Enter" || event.key === " ") && mentionOf(event) !== null) {
    event.preventDefault();
    pin(mentionOf(event));
  } else if (Object.hasOwn(KEYS, event.key)) KEYS[event.key]();
});
find("description").textContent = about.description;
for (const code of [...new Set(events.map((event) => event.country))].sort()) {
  const option = element("option", "", nameOf(code));
  option.value = code;
  find("country").append(option);
}
for (const list of Object.keys(about.lists)) find("list").append(element("option", "", list));
find("list").addEventListener("change", arrange);
find("country").addEventListener("change", arrange);
arrange();
