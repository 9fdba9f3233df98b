import { operator } from "@fairway/contract/columns";
import { type Filter, type PlainFilter, calendarPart, calendarRanges, moreOperatorsOf } from "@fairway/contract/filters";
import { filterMs } from "./filter-oracle.ts";
import { type RandomColumn, moments, pick, randomColumnNames, randomColumns, zones } from "./random-table.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

/** Values that filters compare with: those of the table and those between and beyond them. */
const compared: Readonly<Record<RandomColumn, readonly (string | number | boolean)[]>> = {
  text: ["", "a", "A", "a ", "it's", "' or 1=1 --", "10", "100%", "a_b", "éa", "Éa", "😀", "￿", "zz"],
  whole: [0, 1, 5, -7, "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807"],
  real: [0, "-0", 0.1, "0.3", -1.5, 0.2, 1e300, -1e300, 5e-324],
  single: [0, 0.1, "0.1", 16_777_216, -3],
  money: [1.1, "1.10", "1.105", 1.21, 0, "-0.05", -0.051, 99_999_999],
  flag: [true, false, "true"],
  at: [...moments.map(iso), ...moments.map((ms) => ms + 1)],
  second: [...moments.map(iso), ...moments.map((ms) => iso(ms + 250)), ...moments.map((ms) => Math.floor(ms / 1_000))],
  day: ["2001-04-01", "1969-12-31", "2020-02-29", "2001-04-01T12:00:00Z", "1999-09-09"],
};
const needles = ["a", "A", "%", "_", "é", "ÉA", "'", " ", "😀", "it's", "0", "\\", "￿"];

/** Whether a range between two values would be reversed. */
function isAbove(name: RandomColumn, one: string | number | boolean, other: string | number | boolean): boolean {
  const type = randomColumns[name];
  if (type === "STRING") return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other))) > 0;
  if (type === "integer") return BigInt(String(one)) > BigInt(String(other));
  if (type === "decimal") return Number(one) > Number(other);
  return filterMs(name, one) > filterMs(name, other);
}

function randomPlainFilter(random: () => number): PlainFilter {
  const name = pick(random, randomColumnNames);
  const type = randomColumns[name];
  const value = () => pick(random, compared[name]);
  const comparisons = type === "BOOLEAN" ? (["=", "<>"] as const) : operator.options;
  const chosen = random() < 0.3 ? pick(random, comparisons) : pick(random, moreOperatorsOf(type));
  switch (chosen) {
    case "in":
    case "not in":
      return {
        name,
        operator: chosen,
        value: Array.from({ length: 1 + Math.floor(random() * 5) }, () => (random() < 0.15 ? null : value())),
      };
    case "between":
    case "not between": {
      const [one, other] = [value(), value()];
      return { name, operator: chosen, value: isAbove(name, one, other) ? [other, one] : [one, other] };
    }
    case "contains":
    case "not contains":
    case "starts with":
    case "not starts with":
      return { name, operator: chosen, value: pick(random, needles) };
    case "when":
    case "not when": {
      const part = pick(random, calendarPart.options);
      const [first, last] = calendarRanges[part];
      const numbers = Array.from({ length: 1 + Math.floor(random() * 8) }, () => first + Math.floor(random() * (last - first + 1)));
      return { name, operator: chosen, value: { part, zone: pick(random, zones), in: numbers } };
    }
    case "any":
      throw new Error("alternatives are of no column");
    case "=":
    case "<>":
      return { name, operator: chosen, value: random() < 0.1 ? null : value() };
    case "<":
    case "<=":
    case ">":
    case ">=":
      return { name, operator: chosen, value: value() };
    default:
      return chosen satisfies never;
  }
}

/** Any form of filter that a column of a random table takes, also alternatives. */
export function randomFilter(random: () => number): Filter {
  if (random() < 0.8) return randomPlainFilter(random);
  const list = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomPlainFilter(random));
  return { name: "*", operator: "any", value: Array.from({ length: 2 + Math.floor(random() * 2) }, list) };
}
