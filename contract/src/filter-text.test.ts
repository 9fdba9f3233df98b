import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operatorsOf } from "./columns.ts";
import { parseFilters, type TextColumn } from "./filter-text.ts";
import { openAlternative, typingStage } from "./filter-typing.ts";
import { typedFilter } from "./filter-typed.ts";
import { readableFilter } from "./filter-writing.ts";
import { calendarRanges, type Filter, filter, moreOperatorsOf, type PlainFilter } from "./filters.ts";

const column = (name: string, type: TextColumn["type"], more: Partial<TextColumn> = {}): TextColumn => ({
  name,
  type,
  operators: operatorsOf(type),
  moreOperators: [...moreOperatorsOf(type), "any"],
  canBeEmpty: true,
  ...more,
});

const flights = [
  column("origin", "STRING"),
  column("name", "STRING"),
  column("delay", "integer", { unit: "min" }),
  column("distance", "integer"),
  column("date", "TIMESTAMP_SECONDS"),
  column("landed", "BOOLEAN"),
];
const others = [{ name: "position", combined: { fields: ["latitude", "longitude"] } }, { name: "secret" }];

const read = (text: string, columns: readonly TextColumn[] = flights) => {
  const parsed = parseFilters(text, columns, others);
  if ("problem" in parsed) return parsed.problem;
  return parsed.filters.map(({ name, operator, value }) => [name, operator, value]);
};

describe("parseFilters", () => {
  it.each<[string, unknown]>([
    ["origin in ORD, ATL", [["origin", "in", ["ORD", "ATL"]]]],
    ["origin NOT  IN ORD", [["origin", "not in", ["ORD"]]]],
    [
      "origin in (ORD, ATL) and delay > 5",
      [
        ["origin", "in", ["ORD", "ATL"]],
        ["delay", ">", "5"],
      ],
    ],
    ['origin in "ORD", empty, "empty", ""', [["origin", "in", ["ORD", null, "empty", ""]]]],
    [
      "origin in ORD, delay >= 60",
      [
        ["origin", "in", ["ORD"]],
        ["delay", ">=", "60"],
      ],
    ],
    ["origin in ORD, delay", [["origin", "in", ["ORD", "delay"]]]],
    ["origin in Sand and gravel, Fish", [["origin", "in", ["Sand and gravel", "Fish"]]]],
    ["delay in 1, 2 min, -3, ", [["delay", "in", ["1", "2", "-3"]]]],
    ["delay between 15 and 60", [["delay", "between", ["15", "60"]]]],
    [
      "delay not between -5 min and 60 min and origin = ORD",
      [
        ["delay", "not between", ["-5", "60"]],
        ["origin", "=", "ORD"],
      ],
    ],
    ['name between "A and B" and M', [["name", "between", ["A and B", "M"]]]],
    ["date between 05/01/2001, 12:00:00 AM and 2001-05-31", [["date", "between", ["05/01/2001, 12:00:00 AM", "2001-05-31"]]]],
    ['name contains "san"', [["name", "contains", "san"]]],
    ["name not contains san, jose", [["name", "not contains", "san, jose"]]],
    [
      "name starts  with san or delay > 5",
      [["*", "any", [[{ name: "name", operator: "starts with", value: "san" }], [{ name: "delay", operator: ">", value: "5" }]]]],
    ],
    ['name not starts with "S"', [["name", "not starts with", "S"]]],
    ["date when Saturday, sun", [["date", "when", { part: "dayOfWeek", zone: "UTC", in: [6, 7] }]]],
    ["date when hour 17, 18", [["date", "when", { part: "hourOfDay", zone: "UTC", in: [17, 18] }]]],
    [
      "date not when months May, 6 in Europe/Berlin and delay > 1",
      [
        ["date", "not when", { part: "monthOfYear", zone: "Europe/Berlin", in: [5, 6] }],
        ["delay", ">", "1"],
      ],
    ],
    [
      "date when day 1, 15, origin = ORD",
      [
        ["date", "when", { part: "dayOfMonth", zone: "UTC", in: [1, 15] }],
        ["origin", "=", "ORD"],
      ],
    ],
    ["origin = ORD or origin = ATL or origin is empty", [["origin", "in", ["ORD", "ATL", null]]]],
    [
      "delay > 5 and (origin = ORD or origin in ATL, LAX)",
      [
        ["delay", ">", "5"],
        ["origin", "in", ["ORD", "ATL", "LAX"]],
      ],
    ],
    ["name = Sand or gravel", [["name", "=", "Sand or gravel"]]],
    ["name = Sand and gravel in bulk", [["name", "=", "Sand and gravel in bulk"]]],
    [
      "(delay >= 60 and distance < 200)",
      [
        ["delay", ">=", "60"],
        ["distance", "<", "200"],
      ],
    ],
    ["landed = Yes", [["landed", "=", "true"]]],
    [
      "landed in NO, empty and origin = yes",
      [
        ["landed", "in", ["false", null]],
        ["origin", "=", "yes"],
      ],
    ],
    ['landed = "yes"', [["landed", "=", "yes"]]],
    [
      "(name = Foo (Bar) or delay > 1) and landed = true",
      [
        ["*", "any", [[{ name: "name", operator: "=", value: "Foo (Bar)" }], [{ name: "delay", operator: ">", value: "1" }]]],
        ["landed", "=", "true"],
      ],
    ],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("joins by 'and' before 'or', and takes what parentheses hold together", () => {
    const [a, b, c] = ["delay >= 60", "distance < 200", "origin <> ORD"];
    const alternatives = (text: string) => {
      const parsed = parseFilters(text, flights);
      return "problem" in parsed ? parsed.problem : parsed.filters.map((one) => readableFilter(one));
    };
    expect(alternatives(`${a} or ${b}`)).toEqual([`${a} or ${b}`]);
    expect(alternatives(`${a} and ${b} or ${c}`)).toEqual([`(${a} and ${b}) or ${c}`]);
    expect(alternatives(`(${a} and ${b})or ${c}`)).toEqual([`(${a} and ${b}) or ${c}`]);
    expect(alternatives(`${a} or (${b} and ${c})`)).toEqual([`${a} or (${b} and ${c})`]);
    expect(alternatives(`(${a} or ${b}) or ${c}`)).toEqual([`${a} or ${b} or ${c}`]);
    expect(alternatives(`(${a} or ${b}) and ${c}`)).toEqual([`${a} or ${b}`, c]);
    expect(alternatives(`(${a} or ${b}) and ${c} or ${a}`)).toMatch(/no further parentheses/);
    expect(alternatives(`((${a} or ${b}) and ${c})`)).toMatch(/no further parentheses/);
    expect(alternatives(`(${a} or ${b}`)).toBe('A parenthesis is not closed: add ")".');
    expect(alternatives(`${a} or `)).toBe('Add a condition after "or".');
    expect(alternatives(`${a} and `)).toEqual([a]);
    expect(alternatives(Array.from({ length: 11 }, (_, index) => `delay > ${index}`).join(" or "))).toMatch(/at most 10 alternatives/);
  });

  it.each([
    ["delay contains 5", "delay can only be filtered with = <> < <= > >=, in, between."],
    ["date starts with 2001", "date can only be filtered with = <> < <= > >=, in, between, when."],
    ["origin in", "Add a value after origin in."],
    ["origin in , ", "Add a value after origin in."],
    ["name contains", "Add a value after name contains."],
    ['name contains ""', "Add a value after name contains."],
    ["delay between 15", 'Add two values after delay between, with "and" between them.'],
    ["date when hour 24", "'24' is not a hour: they go from 0 to 23."],
    ["date when Saturday, May", /^'May' can't follow "when"\. Try Saturday/],
    ['origin in "ORD" ATL', `Separate 'ATL' with "and".`],
    ["delay >= 60 or dela < 2", "There is no column dela. Did you mean delay?"],
    ["position in 1", "position combines latitude and longitude. Filter by those."],
    ["secret = 1", "secret can't be filtered. Choose one of origin, name, delay, distance, date, landed."],
  ])("says what is wrong with %s", (text, problem) => {
    expect(read(text)).toMatch(problem);
  });

  it("reads a column by its name where it stands first, whatever the name", () => {
    const odd = [column("in", "STRING"), column("not", "integer"), column("between", "integer"), column("in order", "STRING")];
    expect(read("in in in, not", odd)).toEqual([["in", "in", ["in", "not"]]]);
    expect(read("in = in and not between 1 and 2", odd)).toEqual([
      ["in", "=", "in"],
      ["not", "between", ["1", "2"]],
    ]);
    expect(read("in order not in b", odd)).toEqual([["in order", "not in", ["b"]]]);
    expect(read('"in" = x or "between" > 3', odd)).toMatchObject([["*", "any", { length: 2 }]]);
  });

  it("reads a comma after a sign in both ways where the column takes lists", () => {
    const doubts = (text: string, columns = flights) => {
      const parsed = parseFilters(text, columns);
      return "problem" in parsed
        ? parsed.problem
        : parsed.doubtful.map(({ from, to, asList, asValue }) => [text.slice(from, to), asList, asValue]);
    };
    expect(doubts("origin <> ATL, ORD and delay > 3")).toEqual([["origin <> ATL, ORD", "origin not in ATL, ORD", 'origin <> "ATL, ORD"']]);
    expect(doubts("origin = ATL or ORD")).toEqual([["origin = ATL or ORD", "origin in ATL, ORD", 'origin = "ATL or ORD"']]);
    expect(doubts('origin = "ATL", "ORD"')).toEqual([['origin = "ATL", "ORD"', "origin in ATL, ORD", undefined]]);
    expect(doubts("delay = 1, 2")).toEqual([["delay = 1, 2", "delay in 1, 2", undefined]]);
    expect(doubts('origin = "ATL, ORD"')).toEqual([]);
    expect(doubts("delay = 4,5")).toEqual([]);
  });

  it("takes neither lists nor alternatives of a dataset that has none", () => {
    const plain = flights.map((one) => ({ ...one, moreOperators: [] }));
    expect(read("origin in ORD", plain)).toBe("origin can only be filtered with = <> < <= > >=.");
    expect(read("delay > 1 or distance < 2", plain)).toBe(`Filters can't be joined with "or": all of them apply. Type one of them.`);
    expect(read("origin = ORD or origin = ATL", plain)).toBe(`Filters can't be joined with "or": all of them apply. Type one of them.`);
    expect(read("delay = 1, 2", plain)).toBe("A filter has one value, not a list. Type one of them.");
  });
});

it("knows what is typed at the end of a text", () => {
  const stages = (text: string) => {
    const stage = typingStage(text, flights);
    return stage.kind === "done"
      ? "done"
      : stage.kind === "value"
        ? [stage.operator, stage.typed, ...stage.before]
        : [stage.kind, stage.typed];
  };
  expect(stages("origin not")).toEqual(["operator", "not"]);
  expect(stages("origin in")).toEqual(["operator", "in"]);
  expect(stages("origin in ")).toEqual(["in", ""]);
  expect(stages("origin in ORD, a")).toEqual(["in", "a", "ORD"]);
  expect(stages("origin in ORD, ")).toEqual(["in", "", "ORD"]);
  expect(stages("delay between 15 and 6")).toEqual(["between", "6", "15"]);
  expect(stages("delay >= 60 or ")).toEqual(["column", ""]);
  expect(stages("(delay >= 60 and or")).toEqual(["column", "or"]);
  expect(stages("(delay >= 60)")).toBe("done");
  expect(stages('name contains "sa')).toEqual(["contains", "sa"]);
});

it("knows which conditions hold together with what is typed at the end of a text", () => {
  const open = (text: string) => text.slice(openAlternative(text, flights)).trim();
  expect(open("delay >= 60 and ")).toBe("delay >= 60 and");
  expect(open("delay >= 60 or ")).toBe("");
  expect(open("delay >= 60 or distance < 200 and ")).toBe("distance < 200 and");
  expect(open("(delay >= 60 or distance < 200) and ")).toBe("(delay >= 60 or distance < 200) and");
  expect(open("(delay >= 60 and distance < 200) or ")).toBe("");
  expect(open("distance < 200 and (delay >= 60 and ")).toBe("delay >= 60 and");
  expect(open("distance < 200 and (delay >= 60 or ")).toBe("");
});

const names = [
  "origin",
  "in",
  "not",
  "a",
  "a in b",
  "Wind speed",
  "wind",
  "WIND",
  'say "hi"',
  "x, y",
  "(x)",
  "empty",
  "a and b",
  "= 5",
  "é",
];
const types = ["STRING", "integer", "decimal", "BOOLEAN", "TIMESTAMP_SECONDS", "TIMESTAMP_MILLS"] as const;
const columns = names.flatMap((name, index) => [
  column(name, types[index % types.length] ?? "STRING", { unit: index % 2 === 0 ? "min" : undefined }),
]);
const word = fc.constantFrom(
  "ORD",
  "and",
  "or",
  "in",
  "empty",
  "is empty",
  "min",
  "a",
  "wind",
  ",",
  '"',
  "'",
  "(",
  ")",
  "=",
  "not in",
  "san josé",
  "  ",
  "5",
  "%",
);
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
);
const spoken = text.filter((one) => one.trim() !== "");

const valuesOf = (type: TextColumn["type"]): fc.Arbitrary<string> => {
  if (type === "STRING") return spoken;
  if (type === "BOOLEAN") return fc.constantFrom("true", "false");
  if (type.startsWith("TIMESTAMP"))
    return fc.integer({ min: 0, max: 2_000_000_000 }).map((second) => new Date(second * 1_000).toISOString());
  return fc.oneof(fc.integer().map(String), fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.bigInt().map(String));
};

const plainFilters: fc.Arbitrary<PlainFilter> = fc.constantFrom(...columns).chain(({ name, type, operators, moreOperators }) => {
  const value = valuesOf(type);
  const listed = fc.oneof(value, fc.constant(null), ...(type === "STRING" ? [fc.constantFrom("", " ")] : []));
  return fc.constantFrom(...operators, ...moreOperators.filter((one) => one !== "any")).chain((operator): fc.Arbitrary<PlainFilter> => {
    switch (operator) {
      case "in":
      case "not in":
        return fc.record({
          name: fc.constant(name),
          operator: fc.constant(operator),
          value: fc.array(listed, { minLength: 1, maxLength: 5 }),
        });
      case "between":
      case "not between":
        return fc.record({ name: fc.constant(name), operator: fc.constant(operator), value: fc.tuple(value, value) });
      case "contains":
      case "not contains":
      case "starts with":
      case "not starts with":
        return fc.record({ name: fc.constant(name), operator: fc.constant(operator), value: text });
      case "when":
      case "not when":
        return fc
          .constantFrom(...(Object.entries(calendarRanges) as [keyof typeof calendarRanges, readonly [number, number]][]))
          .chain(([part, [min, max]]) =>
            fc.record({
              name: fc.constant(name),
              operator: fc.constant(operator),
              value: fc.record({
                part: fc.constant(part),
                zone: fc.constantFrom("UTC", "Europe/Berlin", "Etc/GMT+5"),
                in: fc.array(fc.integer({ min, max }), { minLength: 1, maxLength: 5 }),
              }),
            }),
          );
      case "=":
      case "<>":
        return fc.record({ name: fc.constant(name), operator: fc.constant(operator), value: fc.oneof(value, fc.constant(null)) });
      case "<":
      case "<=":
      case ">":
      case ">=":
        return fc.record({ name: fc.constant(name), operator: fc.constant(operator), value });
      default:
        return operator satisfies never;
    }
  });
});
const anyFilter: fc.Arbitrary<Filter> = fc.oneof(
  plainFilters,
  fc.record({
    name: fc.constant("*" as const),
    operator: fc.constant("any" as const),
    value: fc.array(fc.array(plainFilters, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
  }),
);

it("reads every filter that it writes as the same filter, whatever its values and the columns' names", () => {
  fc.assert(
    fc.property(anyFilter, (one) => {
      const typed = typedFilter(one, columns);
      expect([typed, parseFilters(typed, columns)]).toEqual([typed, { filters: [filter.parse(one)], doubtful: [] }]);
    }),
    { numRuns: 250 },
  );
});

it("never fails on what is typed, and splits long texts in no time", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(word, fc.constantFrom(...names), fc.constantFrom("between", "contains", "when", "hour", ">=", "<>")), {
        maxLength: 12,
      }),
      (words) => {
        const typed = words.join(" ");
        expect(parseFilters(typed, columns)).toBeTypeOf("object");
        expect(typingStage(typed, columns)).toBeTypeOf("object");
      },
    ),
    { numRuns: 200 },
  );
  expect(read(`origin in ${Array.from({ length: 1_000 }, (_, index) => `V${index}`).join(", ")}`)).toMatchObject([
    ["origin", "in", { length: 1_000 }],
  ]);
});
