import type { Column } from "@fairway/contract/columns";
import type { CoarseForm } from "@fairway/contract/dataset-access";
import { epochMsOf } from "@fairway/contract/utc-texts";
import type { CellValue } from "@fairway/contract/search";

/** An example of the value that a reader gets for a stored one. The gateway makes those that readers get. */
export function coarseValue(column: Pick<Column, "type">, form: CoarseForm, value: CellValue): CellValue {
  if (form === "empty" || value === null) return null;
  if ("first" in form) return Array.from(String(value)).slice(0, form.first).join("");
  if ("step" in form) return stepped(column, form.step, Number(value));
  const epochMs = epochMsOf(column.type, value);
  if (epochMs === undefined) return value;
  const startMs = startOf(epochMs, form.start);
  return column.type === "TIMESTAMP_SECONDS" ? startMs / 1_000 : startMs;
}

function stepped({ type }: Pick<Column, "type">, step: number, value: number): number | null {
  if (!Number.isFinite(value) || !(step > 0)) return null;
  const start = Math.floor(value / step);
  return type === "integer" ? start * step : Number(((start + 0.5) * step).toPrecision(12));
}

function startOf(epochMs: number, unit: "hour" | "day" | "month" | "year"): number {
  const date = new Date(epochMs);
  if (unit === "hour") return date.setUTCMinutes(0, 0, 0);
  date.setUTCHours(0, 0, 0, 0);
  if (unit !== "day") date.setUTCDate(1);
  if (unit === "year") date.setUTCMonth(0);
  return date.getTime();
}
