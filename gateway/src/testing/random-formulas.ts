import { check } from "@fairway/expressions/check";
import { triedColumns } from "./expression-cases.ts";

type Kind = "integer" | "decimal" | "text" | "boolean" | "time";

/** The same numbers for the same seed, from 0 to below 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const leaves: Readonly<Record<Kind, readonly string[]>> = {
  integer: ["n", "m", "3", "-7", "0"],
  decimal: ["x", "y", "0.5", "-2.5"],
  text: ["s", "u", "'ATL'", "','", "''"],
  boolean: ["b", "c", "true"],
  time: ["t", "v", "d", "time('2024-03-31 01:30')"],
};

/** Each letter stands for a formula of a kind: i, f (decimal), s, b and t. Functions whose last digits differ between engines are left out. */
const forms: Readonly<Record<Kind, readonly string[]>> = {
  integer: [
    "(i + i)",
    "(i - i)",
    "(i * i)",
    "(i % i)",
    "abs(i)",
    "sign(f)",
    "length(s)",
    "integer(f)",
    "integer(s)",
    "if(b, i, i)",
    "coalesce(i, i)",
    "least(i, i)",
    "greatest(i, i)",
    "null_if(i, i)",
    "bin(i, i)",
    "year(t)",
    "hour(t, 'Europe/Berlin')",
    "week(t)",
    "round(i, -1)",
  ],
  decimal: [
    "(f + f)",
    "(f - i)",
    "(f * f)",
    "(i / i)",
    "(f % f)",
    "abs(f)",
    "floor(f)",
    "ceil(f)",
    "if(b, f, i)",
    "coalesce(f, i)",
    "least(f, f)",
    "greatest(f, i)",
    "null_if(f, i)",
    "number(s)",
    "days_between(t, t)",
    "epoch(t)",
  ],
  text: [
    "(s || s)",
    "concat(s, s)",
    "trim(s)",
    "left(s, i)",
    "right(s, i)",
    "part(s, i, i)",
    "replace(s, s, s)",
    "split_part(s, s, i)",
    "pad_left(s, 5, s)",
    "text(i)",
    "text(b)",
    "text(t)",
    "if(b, s, s)",
    "case when b then s when b then s end",
    "coalesce(s, s)",
    "null_if(s, s)",
  ],
  boolean: [
    "(i < i)",
    "(f >= f)",
    "(i = f)",
    "(s = s)",
    "(s < s)",
    "(t <= t)",
    "(b and b)",
    "(b or b)",
    "(not b)",
    "(i in (i, i))",
    "(f between f and i)",
    "(s is null)",
    "contains(s, s)",
    "starts_with(s, s)",
    "if(b, b, b)",
  ],
  time: [
    "if(b, t, t)",
    "coalesce(t, t)",
    "start_of(t, 'month')",
    "start_of(t, 'day', 'America/New_York')",
    "add(t, i, 'day')",
    "add(t, 3, 'month')",
    "time(s)",
    "least(t, t)",
  ],
};

const kindOf: Readonly<Record<string, Kind>> = { i: "integer", f: "decimal", s: "text", b: "boolean", t: "time" };

/** Formulas of several levels. */
export function randomFormulas(seed: number, count: number): string[] {
  const next = numbers(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const make = (kind: Kind, depth: number): string => {
    if (depth === 0 || next() < 0.15) return pick(leaves[kind]);
    // Letters of words are left alone.
    return pick(forms[kind]).replaceAll(/(?<![\w'])([ifsbt])(?![\w'(])/g, (letter) => make(kindOf[letter] ?? "integer", depth - 1));
  };
  const kinds = Object.keys(forms) as Kind[];
  const formulas: string[] = [];
  while (formulas.length < count) {
    const formula = make(pick(kinds), 4);
    if (formula.length < 1_500 && check(formula, triedColumns).errors === undefined) formulas.push(formula);
  }
  return formulas;
}
