"""Write the tables of `--example`, `src/nlpcalib/examples`: a classifier's predictions, and news with labels.

Both are made up. The classifier is twice as sure as it should be. Of 300 reports from four years, protests rise, and
the labels are true.
"""

from pathlib import Path

import numpy as np

import nlpcalib as nc
from nlpcalib.io.files import write_csv
from nlpcalib.seeding import generator

FOLDER = Path(__file__).parents[1] / "src/nlpcalib/examples"
CLASSES = ("billing", "bug", "question")
OVERCONFIDENCE = 2.0
"""Factor of the logits that a calibrated classifier would have."""
REPORTS_PER_YEAR = 75
YEARS = {2021: 0.2, 2022: 0.25, 2023: 0.35, 2024: 0.45}
"""Share of reports of a protest by year."""
CITIES = {
    "Lagos": "Nigeria", "Nairobi": "Kenya", "Lima": "Peru", "Paris": "France", "Warsaw": "Poland",
    "Dhaka": "Bangladesh", "Tunis": "Tunisia", "Bogota": "Colombia",
}  # fmt: skip
CAUSES = ("fuel prices", "a new labour law", "cuts to schools", "police violence", "a dam on the river", "low wages")
PROTESTS = (
    "Thousands of people marched through {city}, {country}, to protest against {cause}.",
    "Students in {country} staged a protest in {city} over {cause}, and police watched from a distance.",
    "Crowds filled the centre of {city}, {country}, for a third day and demanded an end to {cause}.",
    "Workers in {city} walked out. The strike against {cause} is the largest that {country} has seen this year.",
    "Demonstrators blocked the road to the airport of {city}, {country}, because of {cause}.",
)
OTHERS = (
    "The parliament of {country} debated {cause} until late at night and put off the vote.",
    "Organisers called off a rally against {cause} in {city}, {country}, after talks with the mayor.",
    "The president of {country} said that protests over {cause} would not change the plan.",
    "A storm flooded streets in {city}, {country}. Schools will stay closed until Monday.",
    "{country} and its neighbours agreed on a common market, and ministers met in {city} to sign.",
    "A book on {cause} won the first prize at the fair in {city}, {country}.",
)


def predictions(number: int = 600) -> list[dict]:
    """Return rows of support messages, with a probability of each class and the right one."""
    random = generator(1, "predictions")
    logits = random.normal(0, 1.2, (number, len(CLASSES)))
    stated, true = (np.exp(factor * logits) for factor in (OVERCONFIDENCE, 1.0))
    stated, true = (each / each.sum(axis=1, keepdims=True) for each in (stated, true))
    right = (random.random((number, 1)) > np.cumsum(true, axis=1)).sum(axis=1)
    rows = []
    for row, (values, gold) in enumerate(zip(stated.round(4), right.tolist(), strict=True), start=1):
        values[-1] = 1 - values[:-1].sum()
        rows.append(
            {"id": f"m{row}", "gold": CLASSES[gold]} | dict(zip(CLASSES, values.round(4).tolist(), strict=True))
        )
    return rows


def news() -> list[dict]:
    """Return rows of reports with their dates, and whether each reports a protest."""
    random = generator(2, "news")
    rows: list[dict] = []
    for year, share in YEARS.items():
        for day in np.sort(random.integers(0, 365, REPORTS_PER_YEAR)):
            protest = bool(random.random() < share)
            forms = PROTESTS if protest else OTHERS
            city = str(random.choice(list(CITIES)))
            named = {"city": city, "country": CITIES[city], "cause": str(random.choice(CAUSES))}
            text = forms[random.integers(len(forms))].format(**named)
            date = str(np.datetime64(f"{year}-01-01") + np.timedelta64(int(day), "D"))
            rows.append({"id": f"r{len(rows) + 1}", "date": date, "text": text, "protest": protest})
    return rows


def main() -> None:
    """Write all tables, the plan and the labels of the items that it draws."""
    FOLDER.mkdir(exist_ok=True)
    write_csv(FOLDER / "predictions.csv", predictions())
    rows = news()
    found = nc.find_events([{name: row[name] for name in ("id", "date", "text")} for row in rows], "protest")
    q: dict[str, float] = {}
    for each in found.document_events:
        q[each["document"]] = max(q.get(each["document"], 0.0), each["probability"])
    items = [
        {"id": row["id"], "date": row["date"], "q": round(q.get(row["id"], 0.0), 4), "text": row["text"]}
        for row in rows
    ]
    write_csv(FOLDER / "news.csv", items)
    plan = nc.plan_items(FOLDER / "news.csv", budget=80, design="stratified")
    read = [rows[row] for row in sorted(plan.rows.tolist())]
    labels = [{"item": each["id"], "label": "yes" if each["protest"] else "no"} for each in read]
    from nlpcalib.sampling.plan import write_plan

    write_plan(FOLDER / "plan.json", plan.plan)
    write_csv(FOLDER / "labels.csv", labels)


if __name__ == "__main__":
    main()
