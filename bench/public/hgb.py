"""Default gradient boosting of scikit-learn on the splits of `npm run model:public -- --write-splits`; writes hgb.json.

Run once, with Debian's python3-sklearn and python3-pandas: `/usr/bin/python3 bench/public/hgb.py [TABLE …]`. With
tables named, the figures of the others are kept.
"""
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import sklearn
from sklearn.ensemble import HistGradientBoostingRegressor

HERE = Path(__file__).parent


def features(table: pd.DataFrame, fields: dict) -> np.ndarray:
    columns = []
    for key, spec in fields.items():
        ranks = spec.split(" ", 1)[1].split("|") if "|" in spec else None
        column = table[key]
        if ranks:
            columns.append(column.map({v: i for i, v in enumerate(ranks)}).astype(float))
        elif column.dtype == object:
            columns.append(column.map({v: i for i, v in enumerate(sorted(column.dropna().unique()))}).astype(float))
        else:
            columns.append(column.astype(float))
    return np.column_stack(columns)


def main() -> None:
    tables = json.loads((HERE / "tables.json").read_text())
    splits = json.loads((HERE / "tables" / "splits.json").read_text())
    wanted = set(sys.argv[1:])
    found = json.loads((HERE / "hgb.json").read_text())["medianError"] if wanted else {}
    for table in tables:
        if wanted and table["id"] not in wanted:
            continue
        found[table["id"]] = {}
        data = pd.read_csv(HERE / "tables" / f"{table['id']}.csv")
        x = features(data, table["fields"])
        price = data[table["price"]].to_numpy(float)
        y = np.log(price)
        for n, runs in splits[table["id"]].items():
            errors = []
            for run in runs:
                past, later = np.array(run["past"]), np.array(run["later"])
                model = HistGradientBoostingRegressor(random_state=0).fit(x[past], y[past])
                errors.append(float(np.median(np.abs(np.exp(model.predict(x[later])) / price[later] - 1))))
            found[table["id"]][n] = [round(one, 4) for one in errors]
            print(table["id"], n, round(float(np.mean(errors)), 4), flush=True)
    # one line per size, so that the figures can be read and compared
    tables = ",\n".join(
        f'    "{key}": {{\n' + ",\n".join(f'      "{n}": {json.dumps(e)}' for n, e in sizes.items()) + "\n    }"
        for key, sizes in found.items()
    )
    head = f'{{\n  "sklearn": "{sklearn.__version__}",\n  "medianError": {{\n'
    (HERE / "hgb.json").write_text(head + tables + "\n  }\n}\n")


main()
