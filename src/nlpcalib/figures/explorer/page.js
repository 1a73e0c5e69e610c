const LISTED = 100;
// On a phone charts and their labels are narrower, and stand below each other.
const ROOM = document.documentElement.clientWidth;
const isNarrow = ROOM < 900;
const LABEL = isNarrow ? 70 : 180;
const [SIDE, WIDTH] = [340, 460].map((width) => Math.min(width, ROOM - LABEL - 60));
const BARS = 50;
const content = JSON.parse(dataElements()[0].textContent);
const columns = Object.entries(content.columns);
const placed = (q) => (content.stretched ? Math.log((q + 0.001) / (1.001 - q)) : q);
const rows = content.q.map((q, index) => {
  const row = { index, q, place: placed(q), bin: content.bin[index] };
  if (content.y) row.y = content.y[index];
  for (const [name, { names, codes }] of columns) row[`text ${name}`] = names[codes[index]];
  if (content.ranks) {
    row.rank = content.ranks[content.columns.predicted.codes[index]];
    row.bar = content.bars[row.rank];
  }
  if (content.dated) row.period = row["text period"];
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

const { colours, ticks } = content;
const ends = [placed(0), placed(1)];
const scale = { domain: ends, nice: false };
const axis = {
  values: ticks.map(placed),
  labelExpr: `${JSON.stringify(ticks.map(String))}[round(datum.index * ${ticks.length - 1})]`,
};
const selections = [{ name: "brush", select: { type: "interval", encodings: ["x"] }, views: ["histogram"] }];
if (content.ranks) selections.push({ name: "bar", select: { type: "point", fields: ["bar"] }, views: ["bars"] });
if (content.dated) {
  selections.push({ name: "period", select: { type: "interval", encodings: ["x"] }, views: ["band"] });
}

function quantity(field, more = {}) {
  return { field, type: "quantitative", ...more };
}

// What leaves the rows that all selections but one leave.
function selectedBut(name) {
  return selections.filter((each) => each.name !== name).map((each) => ({ filter: { param: each.name } }));
}

// The sums of predictions, and of labels if there are some, of each group of rows.
function sums(groupby, more = []) {
  const found = [...more, { op: "sum", field: "q", as: "predicted" }];
  if (content.y) found.push({ op: "sum", field: "y", as: "positive" });
  return { groupby, aggregate: found };
}

// The reliability curve of the selection, with Wilson intervals, over that of all rows.
function curve() {
  const place = (name) =>
    content.stretched ? `log((datum.${name} + .001) / (1.001 - datum.${name}))` : `datum.${name}`;
  const [centre, n] = ["(datum.f + 1.9208 / datum.n)", "(1 + 3.8416 / datum.n)"];
  const half = "1.96 * sqrt(datum.f * (1 - datum.f) / datum.n + .9604 / (datum.n * datum.n))";
  const mean = (field, as) => ({ op: "mean", field, as });
  const points = [
    { groupby: ["bin"], aggregate: [mean("q", "m"), mean("y", "f"), { op: "count", as: "n" }] },
    { as: "l", calculate: `max(0, (${centre} - ${half}) / ${n})` },
    { as: "h", calculate: `min(1, (${centre} + ${half}) / ${n})` },
    { as: "prediction", calculate: "format(datum.m, '.3f')" },
    { as: "frequency", calculate: "format(datum.f, '.3f')" },
    ...Object.entries({ x: "m", y: "f", low: "l", high: "h" }).map(([as, of]) => ({ as, calculate: place(of) })),
  ];
  const x = quantity("x", { scale, axis, title: null });
  const y = quantity("y", { scale, axis, title: "label frequency" });
  const selected = [...selectedBut(), ...points];
  const tooltip = ["prediction", "frequency", "n"].map((field) => ({ field, type: "nominal" }));
  return {
    width: SIDE,
    height: SIDE,
    layer: [
      {
        data: { values: ends.map((end) => ({ x: end, y: end })) },
        mark: { type: "line", color: colours.grey, strokeDash: [4, 3], strokeWidth: 1 },
        encoding: { x, y },
      },
      { transform: points, mark: { type: "line", color: colours.light, strokeWidth: 3 }, encoding: { x, y } },
      {
        transform: selected,
        mark: { type: "rule", color: colours.blue },
        encoding: { x, y: quantity("low", { scale }), y2: { field: "high" } },
      },
      {
        transform: selected,
        mark: { type: "line", color: colours.blue, point: { color: colours.blue, size: 30 } },
        encoding: { x, y, tooltip },
      },
    ],
  };
}

function histogram() {
  const bin = { extent: ends, step: (ends[1] - ends[0]) / BARS };
  const count = { aggregate: "count", type: "quantitative", scale: { type: "symlog" }, title: "rows" };
  return {
    name: "histogram",
    width: SIDE,
    height: content.y ? 90 : 200,
    transform: selectedBut("brush"),
    mark: { type: "bar", color: colours.grey },
    encoding: {
      x: quantity("place", { bin, scale, axis, title: "prediction" }),
      y: { ...count, axis: { tickCount: 3, format: ",d" } },
    },
  };
}

function labelBars() {
  const transform = [...selectedBut("bar"), sums(["bar", "rank"])];
  const y = { field: "bar", type: "nominal", sort: { field: "rank", op: "min" }, title: null };
  const title = `sum of predictions (bar)${content.y ? " and of labels (line)" : ""}`;
  const color = { condition: { param: "bar", value: colours.blue }, value: colours.paleBlue };
  const layer = [
    { name: "bars", transform, mark: { type: "bar" }, encoding: { x: quantity("predicted", { title }), y, color } },
  ];
  if (content.y) {
    const mark = { type: "tick", color: colours.orange, thickness: 3 };
    layer.push({ transform, mark, encoding: { x: quantity("positive"), y } });
  }
  return { width: WIDTH, layer };
}

// The sum of predictions in each period, with two standard deviations if they are independent.
function periods() {
  const transform = [
    ...selectedBut("period"),
    { as: "v", calculate: "datum.q * (1 - datum.q)" },
    sums(["period"], [{ op: "sum", field: "v", as: "variance" }]),
    { as: "low", calculate: "max(0, datum.predicted - 2 * sqrt(datum.variance))" },
    { as: "high", calculate: "datum.predicted + 2 * sqrt(datum.variance)" },
  ];
  const time = { labelOverlap: "greedy", labelSeparation: 8, labelAngle: 0 };
  const x = { field: "period", type: "ordinal", title: null, axis: time };
  const text = ["sum of predictions, ± 2 sd if independent", ...(content.y ? ["and of labels (points)"] : [])];
  const layer = [
    {
      name: "band",
      transform,
      mark: { type: "area", color: colours.paleBlue },
      encoding: { x, y: quantity("low", { title: null }), y2: { field: "high" } },
    },
    { transform, mark: { type: "line", color: colours.blue }, encoding: { x, y: quantity("predicted") } },
  ];
  if (content.y) {
    const mark = { type: "point", color: colours.orange, filled: true, size: 25 };
    layer.push({ transform, mark, encoding: { x, y: quantity("positive") } });
  }
  return { width: WIDTH, height: 150, layer, title: { text, fontSize: 11, fontWeight: "normal", anchor: "start" } };
}

// All charts in Vega-Lite. Each shows the rows that the selections in the others leave.
function chart() {
  const left = [...(content.y ? [curve()] : []), histogram()];
  const right = [...(content.ranks ? [labelBars()] : []), ...(content.dated ? [periods()] : [])];
  const font = { labelFontSize: 11, labelLimit: LABEL, titleFontSize: 11, titleFontWeight: "normal" };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    config: { axis: { gridColor: colours.pale, ...font }, view: { stroke: colours.light } },
    data: { name: "rows" },
    datasets: { rows: rows.map((row) => ({ ...row })) },
    params: selections,
    ...(isNarrow
      ? { vconcat: [...left, ...right] }
      : { hconcat: [left, right].filter((column) => column.length).map((column) => ({ vconcat: column })) }),
  };
}

async function draw() {
  const options = {
    actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip: { disableDefaultStyle: true },
    loader: { load: () => Promise.reject(new Error("this page loads nothing")) },
  };
  if (view) view.finalize();
  view = (await vegaEmbed(find("chart"), structuredClone(chart()), options)).view;
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
