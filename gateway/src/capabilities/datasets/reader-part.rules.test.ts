import type { AccessGrant, AccessRule, DatasetAccess, RuleFilter } from "@fairway/contract/dataset-access";
import { satisfies } from "@fairway/contract/columns";
import { describe, expect, it } from "vitest";
import type { Condition } from "#query/engine.ts";
import { isComparison } from "#query/conditions.ts";
import { buildColumn, buildDataset } from "#testing/dataset-app.ts";
import { someUser } from "#testing/some-user.ts";
import type { Dataset } from "./dataset.ts";
import { partOf, type ReaderPart } from "./reader-part.ts";

interface Row {
  readonly region: string | null;
  readonly team: string | null;
  readonly size: number | null;
}

/** The same numbers at each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const next = numbers(7);
const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
const some = <T>(values: readonly T[]): T[] => values.filter(() => next() < 0.5);
const list = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(next() * most) }, make);

const regions = ["north", "North", "south", "", "red", null] as const;
const roles = ["north", "south", "red", "audit"];
const groups = ["red", "blue", "north"];
const rows: Row[] = regions.flatMap((region) =>
  (["red", "blue", null] as const).flatMap((team) => [-5, 0, 5, null].map((size) => ({ region, team, size }))),
);

const texts = regions.filter((region) => region !== null);

function someFilter(): RuleFilter {
  const name = pick(["region", "team"]);
  return pick<() => RuleFilter>([
    () => ({ name, operator: "=", valueFrom: pick(["username", "groups", "roles"] as const) }),
    () => ({ name, operator: "=", value: pick(regions) }),
    () => ({ name, operator: "<>", value: pick(texts) }),
    () => ({ name, operator: "in", value: list(3, () => pick(regions)) }),
    () => ({ name: "size", operator: pick([">=", "<", "="] as const), value: pick([-5, 0, 5]) }),
    () => ({ name: "size", operator: "between", value: [pick([-5, 0]), pick([0, 5])] }),
  ])();
}

const someGrant = (): AccessGrant => ({
  roles: pick<string[]>([["*"], some(roles), ["north"], ["south"]]).concat(next() < 0.05 ? ["*"] : ["nobody"]),
  rows: next() < 0.1 ? "all" : { filters: list(2, someFilter) },
});

const someRule = (_: unknown, index: number): AccessRule => ({ name: `Rule ${index}`, grants: list(4, someGrant) });

interface Reader {
  readonly username: string;
  readonly roles: readonly string[];
  readonly groupNames: readonly string[];
}

/** The contract in plain words: a row is seen if every rule has a grant that the reader holds and whose filters all match. */
const isSeen = (row: Row, { rules = [] }: DatasetAccess, reader: Reader): boolean =>
  rules.every(({ grants }) =>
    grants.some(
      ({ roles: granted, rows: shown }) =>
        granted.some((role) => role === "*" || reader.roles.includes(role)) &&
        (shown === "all" || (shown.filters ?? []).every((filter) => isMatch(row, filter, reader))),
    ),
  );

function isMatch(row: Row, filter: RuleFilter, reader: Reader): boolean {
  const cell = row[filter.name as keyof Row];
  if ("valueFrom" in filter) {
    const values = { username: [reader.username], groups: reader.groupNames, roles: reader.roles }[filter.valueFrom];
    return typeof cell === "string" && values.includes(cell);
  }
  const { operator, value } = filter;
  if (Array.isArray(value)) {
    if (operator === "in") return value.includes(cell);
    return (
      cell !== null && value.every((one, index) => typeof one === "number" && (index === 0 ? Number(cell) >= one : Number(cell) <= one))
    );
  }
  if (operator === "in" || operator === "between") return false;
  if (operator === "=") return cell === value;
  if (operator === "<>") return cell !== value;
  return typeof cell === "number" && typeof value === "number" && satisfies(operator, cell - value);
}

/** Whether a scope has a row, condition by condition. */
function isInPart(row: Row, { scope }: ReaderPart): boolean {
  if (scope.part === null) return true;
  return scope.part.rules.every((grants) => grants.some(({ conditions }) => conditions.every((condition) => isTrue(row, condition))));
}

function isTrue(row: Row, condition: Condition): boolean {
  if (!("column" in condition)) throw new Error("no such condition is made of rules");
  const cell = row[condition.column as keyof Row];
  const comparable = typeof cell === "number" ? BigInt(cell) : cell;
  if (condition.operator === "in") {
    return comparable === null ? condition.empty : condition.values.some(({ value }) => value === comparable);
  }
  if (condition.operator === "between") {
    return (
      typeof comparable === "bigint" && comparable >= (condition.low.value as bigint) && comparable <= (condition.high.value as bigint)
    );
  }
  if (!isComparison(condition)) throw new Error("no such condition is made of rules");
  const { operator, value } = condition;
  if (operator === "=") return comparable === value;
  if (operator === "<>") return comparable !== value;
  return typeof comparable === "bigint" && satisfies(operator, Number(comparable - (value as bigint)));
}

const datasetWith = (access: DatasetAccess): Dataset => ({
  ...buildDataset({
    schema: { columns: [buildColumn("region", "STRING"), buildColumn("team", "STRING"), buildColumn("size", "integer")] },
    access,
  }),
  parameters: null,
  revision: "1",
  own: null,
});

const keyOf = (text: string): string => text;

function readerOf(reader: Reader) {
  return someUser({ ...reader, groups: [...reader.groupNames] });
}

function seenBy(dataset: Dataset, reader: Reader): Row[] {
  const part = partOf(dataset, readerOf(reader), keyOf);
  if (part === null) throw new Error("the dataset has rules");
  return rows.filter((row) => isInPart(row, part));
}

describe("random rules", () => {
  const cases = Array.from({ length: 400 }, () => ({
    access: { rules: Array.from({ length: Math.floor(next() * 4) }, someRule) } satisfies DatasetAccess,
    reader: { username: pick(["red", "ada"]), roles: some(roles), groupNames: some(groups) },
  }));

  it("show the rows that plain code shows", () => {
    for (const { access, reader } of cases) {
      const expected = rows.filter((row) => isSeen(row, access, reader));
      expect([access, reader, seenBy(datasetWith(access), reader)]).toEqual([access, reader, expected]);
    }
  });

  it("show more to readers with more roles and groups, and the same to the same reader", () => {
    for (const { access, reader } of cases) {
      const dataset = datasetWith(access);
      const more = {
        ...reader,
        roles: [...new Set([...reader.roles, pick(roles)])],
        groupNames: [...new Set([...reader.groupNames, pick(groups)])],
      };
      const [before, after] = [seenBy(dataset, reader), seenBy(dataset, more)];
      expect(before.filter((row) => !after.includes(row))).toEqual([]);
      expect(partOf(dataset, readerOf(reader), keyOf)?.scope.key).toBe(partOf(dataset, readerOf(reader), keyOf)?.scope.key);
    }
  });
});

describe("rules for columns", () => {
  const columnCases = Array.from({ length: 200 }, () => {
    const names = ["region", "team", "size"];
    const columns = some(names).map((name) => ({
      names: [name],
      roles: some(roles).concat("boss"),
      others: pick(["withheld", "empty"] as const),
    }));
    return { columns, unnamedColumns: pick(["shown", "withheld"] as const) } satisfies DatasetAccess;
  });

  it("show more columns as stored to readers with more roles", () => {
    for (const access of columnCases) {
      const dataset = datasetWith(access);
      const fewer = some(roles);
      const [before, after] = [fewer, [...fewer, pick([...roles, "boss"])]].map((held) =>
        partOf(dataset, readerOf({ username: "ada", roles: held, groupNames: [] }), keyOf),
      );
      for (const name of after?.withheld ?? []) expect(before?.withheld.has(name)).toBe(true);
      for (const name of after?.coarse.keys() ?? []) expect(before?.coarse.has(name)).toBe(true);
    }
  });
});

describe("grants that differ in the value of one column", () => {
  const grantsOf = (grants: AccessGrant[], reader: Partial<Reader> = {}) => {
    const part = partOf(
      datasetWith({ rules: [{ name: "Region", grants }] }),
      readerOf({ username: "u", roles: ["a"], groupNames: [], ...reader }),
      keyOf,
    );
    return part?.scope.part?.rules[0];
  };

  it("become one with a list", () => {
    const grants = Array.from({ length: 40 }, (_, index): AccessGrant => ({
      roles: ["a"],
      rows: { filters: [{ name: "region", operator: "=", value: `r${index % 39}` }] },
    }));
    const merged = grantsOf(grants);
    expect(merged).toHaveLength(1);
    expect(merged?.[0]?.conditions).toMatchObject([{ operator: "in", values: { length: 39 }, empty: false }]);
  });

  it("stay apart where they differ in more", () => {
    const pair = (region: string, size: number): AccessGrant => ({
      roles: ["a"],
      rows: {
        filters: [
          { name: "region", operator: "=", value: region },
          { name: "size", operator: ">=", value: size },
        ],
      },
    });
    expect(grantsOf([pair("x", 1), pair("y", 1), pair("y", 2)])).toHaveLength(2);
  });

  it("without a value of the reader show nothing", () => {
    const ofGroups: AccessGrant = { roles: ["*"], rows: { filters: [{ name: "team", operator: "=", valueFrom: "groups" }] } };
    expect(grantsOf([ofGroups])).toEqual([]);
    expect(grantsOf([ofGroups], { groupNames: ["red"] })).toHaveLength(1);
  });
});
