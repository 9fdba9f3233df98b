import { expect, it } from "vitest";
import { withFieldOrder, withoutNestedIds } from "./entity.ts";
import { exportFileName } from "./entity-export.ts";

const entity = {
  version: 4,
  id: "u1",
  groups: [{ id: "g1", name: "Editors", owner: { id: "x", since: 3 } }],
  roles: [],
  enabled: true,
};

it("[ADMIN-13] [ADMIN-14] removes nested ids, and changes nothing of what it was given", () => {
  expect(withoutNestedIds(entity)).toMatchObject({ groups: [{ name: "Editors" }] });
  expect(withoutNestedIds(entity)["groups"]).not.toMatchObject([{ id: expect.anything() }]);
  expect(entity.groups[0]?.id).toBe("g1");
});

it("[ADMIN-15] removes the version and nested ids at any depth, and keeps the entity's own id", () => {
  expect(withoutNestedIds(entity)).toEqual({
    id: "u1",
    groups: [{ name: "Editors", owner: { since: 3 } }],
    roles: [],
    enabled: true,
  });
});

it("keeps id properties in opaque fields", () => {
  const joltSpec = [{ operation: "shift", spec: { id: "customer.id" } }];
  expect(withoutNestedIds({ version: 1, name: "orders", joltSpec }, ["joltSpec"])).toEqual({ name: "orders", joltSpec });
});

it.each([
  ["users", new Date(2026, 0, 5), "users-202615.json"],
  ["datasets/internal", new Date(2026, 10, 21), "datasets-internal-20261121.json"],
])("[ADMIN-34] an export of %s is named %s", (type, day, name) => {
  expect(exportFileName(type, day)).toBe(name);
});

it("orders the fields of a value like those of another", () => {
  const model = { a: 1, b: { x: 1, y: [{ p: 1, q: 2 }] }, c: 3 };
  const value = {
    z: 0,
    c: 4,
    b: {
      y: [
        { q: 5, p: 6 },
        { q: 7, p: 8 },
      ],
      x: 2,
    },
    a: 9,
  };
  expect(JSON.stringify(withFieldOrder(model, value))).toBe('{"a":9,"b":{"x":2,"y":[{"p":6,"q":5},{"q":7,"p":8}]},"c":4,"z":0}');
  expect(withFieldOrder(model, [1])).toEqual([1]);
});
