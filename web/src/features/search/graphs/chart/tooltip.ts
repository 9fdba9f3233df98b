import { type GraphModel, totalOf } from "#features/search/graphs/model/graph-model.ts";
import { numberOf } from "#features/search/graphs/model/graph-values.ts";
import { valueText } from "#features/search/graphs/model/graph-wording.ts";
import classes from "./graph-chart.module.css";

/** What stands beside the pointer: the group, and its values with their columns. Made of nodes, as styles in markup are not allowed. */
export function chartTip(model: GraphModel, hidden: ReadonlySet<number>, group: number, only: number | null): HTMLElement {
  const box = document.createElement("div");
  box.className = classes["tip"] ?? "";
  const head = document.createElement("div");
  const { label = "", time = null, color = "" } = model.groups[group] ?? {};
  head.textContent = time ? `${label} UTC` : label;
  box.append(head);
  for (const [place, column] of model.columns.entries()) {
    if (hidden.has(place) || (only !== null && place !== only)) continue;
    const value = model.values[group]?.[place] ?? null;
    const total = only === null ? null : totalOf(model, place);
    const share = total !== null && total > 0 ? ` (${shareText(numberOf(value) ?? 0, total)})` : "";
    const said = value === null ? "–" : `${valueText(value)}${column.unit === "" ? "" : ` ${column.unit}`}${share}`;
    box.append(line(only === null ? column.color : color, column.label, said));
  }
  return box;
}

export const shareText = (value: number, total: number): string => `${((value / total) * 100).toFixed(1)} %`;

function line(color: string, label: string, value: string): HTMLElement {
  const row = document.createElement("div");
  const key = document.createElement("i");
  key.style.background = color;
  const name = document.createElement("span");
  name.textContent = label;
  const number = document.createElement("b");
  number.textContent = value;
  row.append(key, name, number);
  return row;
}
