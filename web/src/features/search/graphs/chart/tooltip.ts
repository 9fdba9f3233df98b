import { type GraphModel, totalOf } from "@fairway/contract/charts/graph-model";
import { numberOf } from "@fairway/contract/charts/graph-values";
import { valueText } from "@fairway/contract/charts/graph-wording";
import classes from "./chart.module.css";

/** The tooltip: the group and its values by column. Built from DOM nodes, since the CSP forbids inline styles in markup. */
export function createTooltip(model: GraphModel, hidden: ReadonlySet<number>, group: number, onlyColumn: number | null): HTMLElement {
  const box = document.createElement("div");
  box.className = classes["tooltip"] ?? "";
  const head = document.createElement("div");
  const { label = "", time = null, color = "" } = model.groups[group] ?? {};
  head.textContent = time ? `${label} UTC` : label;
  box.append(head);
  for (const [index, column] of model.columns.entries()) {
    if (hidden.has(index) || (onlyColumn !== null && index !== onlyColumn)) continue;
    const value = model.values[group]?.[index] ?? null;
    const total = onlyColumn === null ? null : totalOf(model, index);
    const share = total !== null && total > 0 ? ` (${shareText(numberOf(value) ?? 0, total)})` : "";
    const text = value === null ? "–" : `${valueText(value)}${column.unit === "" ? "" : ` ${column.unit}`}${share}`;
    box.append(line(onlyColumn === null ? column.color : color, column.label, text));
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
