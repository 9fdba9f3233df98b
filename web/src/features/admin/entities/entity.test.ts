import { expect, it } from "vitest";
import { withoutNestedIds } from "./entity.ts";
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
