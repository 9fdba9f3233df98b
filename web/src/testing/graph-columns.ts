import { columnValues } from "@fairway/contract/column-values";
import { stormRows } from "./graphs.ts";
import { gateway } from "./open-screen.tsx";

export const season = { from: "2005-08-20T00:00:00", to: "2005-09-10T00:00:00" };

/** Answers profiles of the storm tracks: names by frequency, and winds from 20 to 150. */
export function serveProfiles(): void {
  gateway.answer(columnValues.profile, ({ params: { column } }) => {
    const rows = stormRows(season);
    const counts = new Map<string, number>();
    for (const row of rows) counts.set(String(row[column]), (counts.get(String(row[column])) ?? 0) + 1);
    const top = [...counts].map(([value, count]) => ({ value, rows: count })).toSorted((a, b) => b.rows - a.rows);
    const isText = column === "name";
    return {
      rows: rows.length,
      empty: 0,
      distinct: top.length,
      min: isText ? "A" : 20,
      max: isText ? "Z" : 150,
      top: top.slice(0, 10),
      histogram: [],
    };
  });
}
