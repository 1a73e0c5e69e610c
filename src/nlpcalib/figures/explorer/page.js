const LISTED = 100;
const content = JSON.parse(dataElements()[0].textContent);
const columns = Object.entries(content.columns);
const rows = content.q.map((q, index) => {
  const row = { index, q, place: content.stretched ? Math.log((q + 0.001) / (1.001 - q)) : q, bin: content.bin[index] };
  if (content.y) row.y = content.y[index];
  for (const [name, { names, codes }] of columns) row[`text ${name}`] = names[codes[index]];
  if (content.ranks) {
    row.rank = content.ranks[content.columns.label.codes[index]];
    row.bar = content.bars[row.rank];
  }
  if ("text period" in row) row.period = row["text period"];
  return row;
});
const selection = { brush: {}, bar: {}, period: {} };
let selected = rows;
let view;

function isSelected(row) {
  const [low, high] = selection.brush.place ?? [-Infinity, Infinity];
  const { bar } = selection.bar;
  const { period } = selection.period;
  return row.place >= low && row.place <= high && (!bar || bar.includes(row.bar)) && (!period || period.includes(row.period));
}

const orders = {
  given: (a, b) => a.index - b.index,
  highest: (a, b) => b.q - a.q,
  lowest: (a, b) => a.q - b.q,
  doubtful: (a, b) => Math.abs(a.q - 0.5) - Math.abs(b.q - 0.5),
  wrong: (a, b) => Math.abs(b.q - b.y) - Math.abs(a.q - a.y),
};

function mean(values) {
  return values.length ? (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3) : "–";
}

function cells(row) {
  return [row.q, ...(content.y ? [row.y] : []), ...columns.map(([name]) => row[`text ${name}`])];
}

const head = ["q", ...(content.y ? ["y"] : []), ...columns.map(([name]) => name)];

function numbered(parent, name, values) {
  values.forEach((value, place) => parent.append(element(name, place < (content.y ? 2 : 1) ? "number" : "", String(value))));
  return parent;
}

function show() {
  selected = rows.filter(isSelected).sort(orders[find("order").value]);
  const parts = [`${selected.length.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`];
  parts.push(`mean prediction ${mean(selected.map((row) => row.q))}`);
  if (content.y) parts.push(`label frequency ${mean(selected.map((row) => row.y))}`);
  find("summary").textContent = parts.join(", ");
  find("head").replaceChildren(numbered(element("tr"), "th", head));
  find("rows").replaceChildren(...selected.slice(0, LISTED).map((row) => numbered(element("tr"), "td", cells(row))));
  find("more").textContent = selected.length > LISTED ? `The first ${LISTED} rows; the CSV has all of the selection.` : "";
}

async function draw() {
  const options = {
    actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true },
    loader: { load: () => Promise.reject(new Error("this page loads nothing")) },
  };
  if (view) view.finalize();
  const chart = structuredClone(content.chart);
  chart.datasets = { rows: rows.map((row) => ({ ...row })) };
  view = (await vegaEmbed(find("chart"), chart, options)).view;
  for (const name of Object.keys(selection)) {
    selection[name] = {};
    try {
      view.addSignalListener(name, (_, value) => {
        selection[name] = value ?? {};
        show();
      });
    } catch {
      // The chart of this selection is not in the page.
    }
  }
  show();
}

for (const paragraph of content.notes) find("notes").append(element("p", "", paragraph));
if (!content.y) find("order").querySelector('[value="wrong"]').remove();
find("order").addEventListener("change", show);
find("clear").addEventListener("click", draw);
find("save").addEventListener("click", () => download("rows.csv", [head, ...selected.map(cells)]));
draw();
