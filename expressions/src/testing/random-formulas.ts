import * as fc from "fast-check";
import type { ExpressionColumn } from "../tree.ts";

/** Columns of random formulas: two of each type, and names that read as keywords or need quotes. */
export const formulaColumns: readonly ExpressionColumn[] = [
  { name: "n", type: "integer" },
  { name: "order", type: "integer" },
  { name: "x", type: "decimal" },
  { name: "größe", type: "decimal" },
  { name: "s", type: "STRING" },
  { name: "Airport Name", type: "STRING" },
  { name: "t", type: "TIMESTAMP_MILLS" },
  { name: "seen", type: "TIMESTAMP_SECONDS" },
  { name: "born", type: "TIMESTAMP_MILLS", day: true },
  { name: "b", type: "BOOLEAN" },
  { name: "end", type: "BOOLEAN" },
];

interface Formulas {
  integer: string;
  decimal: string;
  text: string;
  time: string;
  boolean: string;
}

const joined = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part))).map((texts) => texts.join(""));

/** The types nest in each other, and share one depth. */
const shared = { maxDepth: 4, depthIdentifier: fc.createDepthIdentifier() };

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const zones = fc.constantFrom("'UTC'", "'America/New_York'", "'Asia/Kolkata'", "'Australia/Lord_Howe'");
const startUnit = fc.constantFrom("'minute'", "'hour'", "'day'", "'week'", "'month'", "'quarter'", "'year'");
const addUnit = fc.oneof(startUnit, fc.constant("'second'"));
const operator = fc.constantFrom(" = ", " <> ", " < ", " <= ", " > ", " >= ");

/** Formulas of each type over `formulaColumns`, as texts that check without errors unless they exceed a limit. */
export const formulas: { readonly [Type in keyof Formulas]: fc.Arbitrary<string> } = fc.letrec((tie: fc.LetrecTypedTie<Formulas>) => {
  const [n, d, s, t, b] = [tie("integer"), tie("decimal"), tie("text"), tie("time"), tie("boolean")];
  const number = fc.oneof(n, d);
  const instant = fc.oneof({ weight: 2, arbitrary: fc.constantFrom("t", "seen") }, { weight: 1, arbitrary: joined("time(", s, ")") });
  const choices = (own: fc.Arbitrary<string>): fc.Arbitrary<string>[] => [
    joined("if(", b, ", ", own, ", ", own, ")"),
    joined("if(", b, ", ", own, ")"),
    joined("coalesce(null, ", own, ", ", own, ")"),
    joined("null_if(", own, ", ", own, ")"),
    joined("case when ", b, " then ", own, " when ", b, " then null else ", own, " end"),
    joined("(", own, ")"),
  ];
  const extremes = (own: fc.Arbitrary<string>): fc.Arbitrary<string>[] => [
    joined("least(", own, ", ", own, ")"),
    joined("greatest(", own, ", null, ", own, ")"),
  ];
  const part = fc.constantFrom("year", "quarter", "month", "week", "day", "weekday", "hour", "minute", "second");
  const compared = (own: fc.Arbitrary<string>): fc.Arbitrary<string>[] => [
    joined("(", own, operator, own, ")"),
    joined("(", own, " between ", own, " and ", own, ")"),
    joined("(", own, " not in (", own, ", ", own, "))"),
  ];
  return {
    integer: fc.oneof(
      shared,
      fc.constantFrom("n", '"order"', "0", "1", "-7", "9223372036854775807"),
      fc.integer({ min: -1_000, max: 1_000 }).map(String),
      joined("(", n, fc.constantFrom(" + ", " - ", " * ", " % "), n, ")"),
      joined("-(", n, ")"),
      joined(fc.constantFrom("abs", "sign", "floor", "ceil", "round", "integer"), "(", n, ")"),
      joined("round(", n, ", ", n, ")"),
      joined("bin(", n, ", ", n, ")"),
      joined("integer(", fc.oneof(d, s), ")"),
      joined("length(", s, ")"),
      joined(part, "(", t, ")"),
      joined(part, "(", instant, ", ", zones, ")"),
      ...choices(n),
      ...extremes(n),
    ),
    decimal: fc.oneof(
      shared,
      fc.constantFrom("x", "größe", "0.5", "-1.5e3", "0.0", "1e300"),
      joined("(", number, fc.constantFrom(" + ", " - ", " * ", " % "), d, ")"),
      joined("(", number, " / ", number, ")"),
      joined("-(", d, ")"),
      joined(fc.constantFrom("abs", "floor", "ceil", "round", "sqrt", "ln", "log10", "exp", "number"), "(", d, ")"),
      joined("round(", d, ", ", n, ")"),
      joined("power(", number, ", ", number, ")"),
      joined("bin(", d, ", ", number, ")"),
      joined("number(", s, ")"),
      joined(fc.constantFrom("seconds_between", "days_between"), "(", t, ", ", t, ")"),
      joined("epoch(", t, ")"),
      joined("distance_km(", number, ", ", number, ", ", number, ", ", number, ")"),
      ...choices(d),
      ...extremes(fc.oneof(n, d)).map((one) => joined("number(", one, ")")),
    ),
    text: fc.oneof(
      shared,
      fc.constantFrom("s", "[Airport Name]", "''", "'12.5'", "'2024-02-29 23:59:59.5+02:00'", "'it''s'"),
      fc.string({ unit: "grapheme", maxLength: 6 }).map(quoted),
      joined("(", s, " || ", s, ")"),
      joined(fc.constantFrom("lower", "upper", "trim"), "(", s, ")"),
      joined(fc.constantFrom("left", "right"), "(", s, ", ", n, ")"),
      joined("part(", s, ", ", n, ", ", n, ")"),
      joined("replace(", s, ", ", s, ", ", s, ")"),
      joined("split_part(", s, ", ", s, ", ", n, ")"),
      joined("pad_left(", s, ", ", n, ", ", s, ")"),
      joined("concat(", s, ", null, ", s, ")"),
      joined("text(", fc.oneof(n, b, t, s), ")"),
      ...choices(s),
      ...extremes(s),
    ),
    time: fc.oneof(
      shared,
      fc.constantFrom("t", "seen", "born"),
      joined("time(", fc.oneof(s, number), ")"),
      joined("start_of(", t, ", ", startUnit, ")"),
      joined("start_of(", instant, ", ", startUnit, ", ", zones, ")"),
      joined("add(", t, ", ", n, ", ", addUnit, ")"),
      ...choices(t),
      ...extremes(t),
    ),
    boolean: fc.oneof(
      shared,
      fc.constantFrom("b", "end", "true", "false"),
      joined("(", b, fc.constantFrom(" and ", " or ", " = ", " <> "), b, ")"),
      joined("(not ", b, ")"),
      joined("(", fc.oneof(n, d, s, t, b), " is ", fc.constantFrom("", "not "), "null)"),
      joined(fc.constantFrom("contains", "starts_with", "ends_with"), "(", s, ", ", s, ")"),
      ...compared(number),
      ...compared(s),
      ...compared(t),
      ...choices(b),
    ),
  };
});

export const anyFormula: fc.Arbitrary<string> = fc.oneof(
  formulas.integer,
  formulas.decimal,
  formulas.text,
  formulas.time,
  formulas.boolean,
);
