import type { Column } from "@fairway/contract/columns";
import { expect, it } from "vitest";
import { orderedItems } from "./item-order.ts";
import type { MapItem } from "./map-items.ts";
import { markScale } from "./marks.ts";

const column = (name: string, type: Column["type"]): Column => ({ name, type, description: "", combined: null });
const item = (name: string, timeMs: number | null, mag: number | string | null, kind: string | null): MapItem => ({
  id: name,
  name,
  mark: null,
  group: name,
  row: { mag, kind },
  lat: 0,
  lng: 0,
  problem: null,
  timeMs,
});
const items = [
  item("a", 5, 2.5, "quake"),
  item("b", null, null, null),
  item("c", 9, "10", "blast"),
  item("d", 5, -0.4, "quake"),
  item("e", null, null, "ice"),
];
const named = (ordered: readonly MapItem[]) => ordered.map(({ name }) => name).join("");

it("orders by name, by the latest time, and by the column that colors: numbers from the highest, texts as in the legend; nothing last", () => {
  const mag = markScale(items, column("mag", "decimal"));
  expect(named(orderedItems(items, "name", mag))).toBe("abcde");
  expect(named(orderedItems(items, "time", mag))).toBe("cadbe");
  expect(named(orderedItems(items, "value", mag))).toBe("cadbe");
  expect(named(orderedItems(items, "value", markScale(items, column("kind", "STRING"))))).toBe("adceb");
  expect(named(orderedItems(items, "value", null))).toBe("abcde");
});
