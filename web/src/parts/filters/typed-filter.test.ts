import { typingStage } from "@fairway/contract/filter-typing";
import { moreOperator } from "@fairway/contract/filters";
import { expect, it } from "vitest";
import { buildColumn, buildDescription } from "#testing/dataset-builders.ts";
import { demoDataset } from "#testing/demo-datasets.ts";
import { initialFilters } from "#parts/search-model/filter-list.ts";
import type { FormFilter } from "#parts/search-model/form-filter.ts";
import { addTyped, parseTyped, readConditions, typedFields, typedText } from "./typed-filter.ts";

const { description: storms } = demoDataset("storm-tracks");
const fields = typedFields(storms, initialFilters(storms));
const parse = (text: string) => {
  const parsed = parseTyped(text, fields, storms);
  return "problem" in parsed ? parsed.problem : parsed.filters.map(({ name, operator, value }) => [name, operator, value]);
};

it.each([
  ["wind >= 64", [["wind", ">=", "64"]]],
  ["wind>=64", [["wind", ">=", "64"]]],
  ["  WIND  ≥64 ", [["wind", ">=", "64"]]],
  [
    "wind ≤ 64, wind != 30",
    [
      ["wind", "<=", "64"],
      ["wind", "<>", "30"],
    ],
  ],
  [
    "wind ≠ 30 and wind == 20 and wind <> 1",
    [
      ["wind", "<>", "30"],
      ["wind", "=", "20"],
      ["wind", "<>", "1"],
    ],
  ],
  ["name = Katrina", [["name", "=", "Katrina"]]],
  ['name = "two words"', [["name", "=", "two words"]]],
  ["name = two words", [["name", "=", "two words"]]],
  [
    `name = 'it''s' and "wind" > 3`,
    [
      ["name", "=", "it's"],
      ["wind", ">", "3"],
    ],
  ],
  ['name = "a, wind > 3 and b"', [["name", "=", "a, wind > 3 and b"]]],
  ["name = Sand and gravel, inc", [["name", "=", "Sand and gravel, inc"]]],
  [
    "name = Rita and wind > 100",
    [
      ["name", "=", "Rita"],
      ["wind", ">", "100"],
    ],
  ],
  ["name = Lyon, Paris nord", [["name", "=", "Lyon, Paris nord"]]],
  ["name is empty", [["name", "=", null]]],
  [
    "name IS  NOT empty and wind > 3",
    [
      ["name", "<>", null],
      ["wind", ">", "3"],
    ],
  ],
  ["name = is empty", [["name", "=", "is empty"]]],
  ["time > 2004-09-01", [["time", ">", "2004-09-01"]]],
  [
    "time > 09/02/2004, 12:00:00 AM and wind > 3",
    [
      ["time", ">", "09/02/2004, 12:00:00 AM"],
      ["wind", ">", "3"],
    ],
  ],
  ["wind > 3, ", [["wind", ">", "3"]]],
  ["wnd >= 64", "There is no column wnd. Did you mean wind?"],
  ["wind > 3 and presure < 900", "There is no column presure. Did you mean pressure?"],
  ["xyzzy = 1", "There is no column xyzzy."],
  ["position = 1", "position combines latitude and longitude. Filter by those."],
  ["wind", 'Add an operator after wind: = <> < <= > >= or "is empty".'],
  ["wind around 64", `'around' is not supported. wind takes = <> < <= > >= or "is empty".`],
  ["wind = 64, 100", "A filter has one value, not a list. Type one of them."],
  ["wind <> 64, 100", "A filter has one value, not a list. Type wind <> 64 and wind <> 100."],
  ["wind = 64 or 100", 'A filter has one value, without "or". Type one of them.'],
  ["wind >= 64 or name = Rita", `Filters can't be joined with "or": all of them apply. Type one of them.`],
  ["time > 2004-09-01 or wind > 3", `Filters can't be joined with "or": all of them apply. Type one of them.`],
  ["wind = 4,5", [["wind", "=", "4,5"]]],
  ["major > true", "major can only be filtered with = <>."],
  ["name =", 'Add a value after name =. For rows without a value, type "name is empty".'],
  ['name = ""', 'Add a value after name =. For rows without a value, type "name is empty".'],
  ['name = "Rita" wind > 3', `Separate 'wind > 3' with "and".`],
  [">= 64", "Start with a column."],
  ['name = "Rita", "Katrina"', "A filter has one value, not a list. Type one of them."],
  ['name <> "Rita", Katrina', "A filter has one value, not a list. Type name <> Rita and name <> Katrina."],
  ['name = "Rita" or name = "Katrina"', `Filters can't be joined with "or": all of them apply. Type one of them.`],
  ["(name = Rita or wind > 3)", `Filters can't be joined with "or": all of them apply. Type one of them.`],
  ["wind >= 64 kt", [["wind", ">=", "64"]]],
  [
    "wind >= 64KT and wind < 1e2 mph",
    [
      ["wind", ">=", "64"],
      ["wind", "<", "1e2 mph"],
    ],
  ],
  ["name = 64 kt", [["name", "=", "64 kt"]]],
])("reads %s", (text, expected) => {
  expect(parse(text)).toEqual(expected);
});

it.each([
  [
    "name <> Katrina, Rita",
    [
      [
        "Katrina, Rita",
        'A filter has one value, not a list. Type name <> Katrina and name <> Rita, or name <> "Katrina, Rita" for that text.',
      ],
    ],
  ],
  [
    "name = Katrina, Rita",
    [["Katrina, Rita", 'A filter has one value, not a list. Type one of them, or name = "Katrina, Rita" for that text.']],
  ],
  [
    "name = Sand or gravel",
    [["Sand or gravel", 'A filter has one value, without "or". Type one of them, or name = "Sand or gravel" for that text.']],
  ],
  ['name <> "Katrina, Rita" and wind > 3', []],
  ["name = 'Sand or gravel'", []],
  ["name = Sand and gravel", []],
  ["name = Orlando", []],
  ["time > 09/02/2004, 12:00:00 AM", []],
])("doubts that %s names one value, unless it is in quotes", (text, expected) => {
  const parsed = parseTyped(text, fields, storms);
  if ("problem" in parsed) throw new Error(parsed.problem);
  expect(parsed.doubtful.map(({ value, hint }) => [value, hint])).toEqual(expected);
});

it("knows what is typed at the end of a text", () => {
  const kinds = Object.fromEntries(
    [
      "",
      "wi",
      "wind ",
      "wind <",
      "wind is n",
      "wind >= ",
      "wind >= 6",
      "wind >= 6 and ",
      "name = Rita and pre",
      'name = "Ri',
      'name = "Rita"',
      "wind is empty",
    ].map((text) => {
      const stage = typingStage(text, fields);
      return [text, stage.kind === "done" ? "done" : `${stage.kind} ${stage.typed}`];
    }),
  );
  expect(kinds).toEqual({
    "": "column ",
    wi: "column wi",
    "wind ": "operator ",
    "wind <": "operator <",
    "wind is n": "operator is n",
    "wind >= ": "value ",
    "wind >= 6": "value 6",
    "wind >= 6 and ": "column ",
    "name = Rita and pre": "column pre",
    'name = "Ri': "value Ri",
    'name = "Rita"': "done",
    "wind is empty": "done",
  });
});

it("fills an empty field of the form that has the operator, and adds a filter otherwise", () => {
  const current = initialFilters(storms);
  const result = addTyped(storms, current, [
    { name: "wind", operator: ">=", value: "64" },
    { name: "wind", operator: "<", value: "100" },
    { name: "time", operator: ">", value: "2004-09-01" },
  ]);
  if ("problem" in result) throw new Error(result.problem);
  expect(result.added.map(({ display, operator, value }) => [display, operator, value])).toEqual([
    ["Wind at least", ">=", 64],
    ["wind", "<", 100],
    ["time", ">", "2004-09-01T00:00:00.000Z"],
  ]);
});

it("reports an invalid value instead of adding anything", () => {
  expect(addTyped(storms, initialFilters(storms), [{ name: "wind", operator: ">=", value: "4,5" }])).toEqual({
    problem: "'4,5' is not a whole number. Write decimals with a point and don't separate thousands.",
  });
});

it("replaces the edited filter, also by one on another column", () => {
  const added = addTyped(storms, initialFilters(storms), [{ name: "season", operator: "=", value: "2004" }]);
  if ("problem" in added) throw new Error(added.problem);
  const id = added.added[0]?.id;
  for (const [name, value] of [
    ["season", "2005"],
    ["category", "5"],
  ] as const) {
    const changed = addTyped(storms, added.filters, [{ name, operator: "=", value }], id);
    if ("problem" in changed) throw new Error(changed.problem);
    expect(changed.filters.filter((filter) => filter.value !== "").map((filter) => [filter.name, filter.value])).toEqual([
      [name, Number(value)],
    ]);
  }
});

it("offers without advanced filtering only the dataset's own filters and their operators, and none that is locked", () => {
  const { description } = demoDataset("industry-unemployment");
  const own = typedFields(description, initialFilters(description));
  const names = [...description.filterSupport.staticFilters, ...description.filterSupport.additionalFilters].map(({ name }) => name);
  expect(own.map(({ name }) => name)).toEqual([...new Set(names)]);
  const other = description.schema.columns.find(({ name, combined }) => combined === null && !names.includes(name));
  expect(parseTyped(`${other?.name} = 1`, own, description)).toEqual({
    problem: `${other?.name} can't be filtered. Choose one of ${own.map(({ name }) => name).join(", ")}.`,
  });
});

it.each([
  ['name = "a, b"', "a, b"],
  ["name = Rita", "Rita"],
  ['name = "say ""hi"" and go"', 'say "hi" and go'],
])("writes %s as it would be typed", (text, value) => {
  const filter = {
    id: "name#1",
    name: "name",
    display: "name",
    description: "",
    required: false,
    type: "STRING",
    operator: "=",
    preFilled: false,
    value,
  } as const;
  expect(typedText(filter, fields)).toBe(text);
  expect(parse(text)).toEqual([["name", "=", value]]);
});

it("keeps every digit of a whole number that is typed, up to 128 bits", () => {
  const typed = (value: string) => {
    const result = addTyped(storms, initialFilters(storms), [{ name: "wind", operator: "=", value }]);
    return "problem" in result ? result.problem : result.added.map((filter) => filter.value);
  };
  expect(typed("17293822569102704640")).toEqual(["17293822569102704640"]);
  expect(typed("-170141183460469231731687303715884105728")).toEqual(["-170141183460469231731687303715884105728"]);
  expect(typed("340282366920938463463374607431768211456")).toBe("'340282366920938463463374607431768211456' is beyond 128 bits.");
});

const further = { ...storms, moreOperators: [...moreOperator.options] };
const furtherFields = typedFields(further, initialFilters(further));
const addFurther = (text: string, current: readonly FormFilter[] = initialFilters(further), editedId?: string) => {
  const parsed = parseTyped(text, furtherFields, further);
  return "problem" in parsed ? parsed : addTyped(further, current, parsed.filters, editedId);
};

it("adds lists, ranges, texts, parts of the calendar and alternatives, whose values are read by their columns", () => {
  const added = addFurther(
    `name in Rita, "a, b", empty and wind between 64 kt and 100 and name contains "ri" and time when Saturday, Sunday and (wind >= 1 or time > 2004-09-01)`,
  );
  if ("problem" in added) throw new Error(added.problem);
  expect(added.added.map(({ name, operator, value }) => [name, operator, value])).toEqual([
    ["name", "in", ["Rita", "a, b", null]],
    ["wind", "between", [64, 100]],
    ["name", "contains", "ri"],
    ["time", "when", { part: "dayOfWeek", zone: "UTC", in: [6, 7] }],
    ["*", "any", [[{ name: "wind", operator: ">=", value: 1 }], [{ name: "time", operator: ">", value: "2004-09-01T00:00:00.000Z" }]]],
  ]);
  for (const filter of added.added) {
    const again = addFurther(typedText(filter, furtherFields));
    if ("problem" in again) throw new Error(again.problem);
    expect(again.added.map(({ name, operator, value }) => [name, operator, value])).toEqual([[filter.name, filter.operator, filter.value]]);
  }
  expect(addFurther('name in Rita, "a, b", empty', [...added.filters])).toMatchObject({ added: [] });
});

it("changes a filter into another form and back", () => {
  const listed = addFurther("name in Rita, Katrina");
  if ("problem" in listed) throw new Error(listed.problem);
  const [filter] = listed.added;
  const joined = addFurther("name = Rita or wind > 3", [...listed.filters], filter?.id);
  if ("problem" in joined) throw new Error(joined.problem);
  expect(joined.filters.filter((one) => one.value !== "" && !one.preFilled).map(({ name, operator }) => [name, operator])).toEqual([
    ["*", "any"],
  ]);
});

it.each([
  ["wind in 64, many", "'many' is not a whole number."],
  ["wind between 100 and 64", "The range of wind ends before it starts: type wind between 64 and 100."],
  ["wind >= 64 or time > someday", /^Not a time/],
])("says what is wrong with the values of %s", (text, problem) => {
  const result = addFurther(text);
  expect("problem" in result ? result.problem : "").toMatch(problem);
});

it("reads conditions as they are sent, and names the value that its column cannot hold", () => {
  const columns = [buildColumn("damaged", { type: "BOOLEAN" }), buildColumn("wind", { type: "integer" })];
  const description = buildDescription({ columns, filterSupport: { supportsAdvancedFiltering: true }, moreOperators: ["any", "in"] });
  const read = (text: string) => {
    const parsed = parseTyped(text, typedFields(description, []), description);
    return "problem" in parsed ? parsed : readConditions(description, parsed.filters);
  };
  expect(read("damaged = yes and wind in 5, 6")).toEqual({
    filters: [
      { name: "damaged", operator: "=", value: true },
      { name: "wind", operator: "in", value: [5, 6] },
    ],
  });
  expect(read("damaged = no or wind > 3")).toMatchObject({ filters: [{ operator: "any", value: [[{ value: false }], [{ value: 3 }]] }] });
  expect(read("damaged = perhaps")).toEqual({ problem: "'perhaps' is neither true nor false." });
  expect(read("wind > 3 or damaged = perhaps")).toEqual({ problem: "'perhaps' is neither true nor false." });
});
