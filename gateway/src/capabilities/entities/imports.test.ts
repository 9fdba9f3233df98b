import { type Entity, type ImportPreview, importFileBytes } from "@fairway/contract/entities";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { exampleOf } from "#testing/entity-example.ts";

it("an import holds at most 2,000,000 bytes of JSON, spaces between them not counted", async () => {
  const { admin } = await administrationApp();
  const docs = Array.from({ length: 100 }, (_, index) => ({ id: `d${index}`, name: "n", category: "c", description: "x".repeat(19_900) }));
  const sizeOf = (entities: unknown) => Buffer.byteLength(JSON.stringify(entities));
  const filled = (bytes: number) => [...docs, { id: "last", name: "n", category: "c", description: "é".repeat(5) + "x".repeat(bytes) }];
  const room = importFileBytes - sizeOf(filled(0));
  const over = filled(room + 1);
  for (const [method, path] of [
    ["POST", "docs/import/preview"],
    ["PUT", "docs/import"],
  ] as const) {
    expect(await admin(method, path, { entities: over, isReplace: false })).toMatchObject({
      status: 413,
      body: { errors: [{ code: "too-large", message: "One import holds at most 2,000,000 bytes of JSON; this one has 2,000,001." }] },
    });
  }
  expect((await admin<Entity[]>("GET", "docs")).body).toEqual([]);
  expect(sizeOf(filled(room))).toBe(2_000_000);
  expect((await admin("PUT", "docs/import", { entities: filled(room), isReplace: false })).status).toBe(200);
});

it("the preview of users refuses the passwords beyond 100, each by its place, as the import does", async () => {
  const { admin } = await administrationApp();
  const entities = Array.from({ length: 102 }, (_, index) => ({
    username: `user-${index}`,
    ...(index === 0 ? {} : { password: { setPassword: true, value: "imitation game" } }),
  }));
  const { body: preview } = await admin<ImportPreview>("POST", "users/import/preview", { entities, isReplace: false });
  expect(preview.refused).toMatchObject([
    { index: 101, id: "user-101", errors: [{ code: "too-large", path: "entities.101.password.setPassword" }] },
  ]);
  expect(preview.added).toHaveLength(101);
  expect(await admin("PUT", "users/import", { entities, isReplace: false })).toMatchObject({
    status: 413,
    body: { errors: preview.refused[0]?.errors },
  });
  expect((await admin<Entity[]>("GET", "users")).body).toHaveLength(2);
});

/** Entities that can be saved, by their names, of types whose example cannot be derived. */
const examples: { readonly [Type in AdministeredType]?: (name: string) => Record<string, unknown> } = {
  users: (username) => ({ username }),
  groups: (name) => ({ name, realmRoles: ["reader"] }),
  roles: (name) => ({ name }),
  notices: (title) => ({ faIcon: "bell", title, message: "m" }),
  "datasets/internal": (id) => ({ ...buildDataset({ id }) }),
  "datasets/external": (name) => ({ name, baseRoute: "https://upstream.example.org" }),
  joltSpecifications: (name) => ({ name, joltSpec: [{ operation: "sort" }] }),
};

const makerOf = (type: AdministeredType) => examples[type] ?? ((name: string) => exampleOf(type, name));
const nameField = (make: (name: string) => Record<string, unknown>) =>
  Object.entries(make("sought")).find(([, value]) => value === "sought")?.[0] ?? "id";

/** Repeatable, so that a failure can be looked at again. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % below;
  };
}

it("a preview refuses nothing exactly where the import is accepted, for every type", async () => {
  const { admin } = await administrationApp();
  const seen = new Set<string>();
  for (const type of Object.keys(entityTypes) as AdministeredType[]) {
    const random = randomly(type.length);
    const make = makerOf(type);
    const field = nameField(make);
    expect((await admin("POST", type, make("there"))).status).toBe(201);
    const drafts: (() => unknown)[] = [
      ...Array.from({ length: 12 }, (_, index) => () => make(`new-${index}`)),
      () => make("there"),
      () => make(` new-1`),
      () => make("NEW-1"),
      () => ({ ...make("surplus"), surplus: 1 }),
      () => ({ ...make("x"), [field]: "\u200b" }),
      () => ({ ...make("on"), enabled: true }),
      () => ({ ...make("wrong"), version: "1" }),
      () => 7,
    ];
    for (let round = 0; round < 8; round += 1) {
      const entities = Array.from({ length: 1 + random(4) }, () => drafts[random(drafts.length)]?.());
      const isReplace = !["users", "roles", "groups"].includes(type) && random(3) === 0;
      const { body: preview } = await admin<ImportPreview>("POST", `${type}/import/preview`, { entities, isReplace });
      const { status } = await admin("PUT", `${type}/import`, { entities, isReplace });
      seen.add(`${preview.refused.length === 0} ${status === 200}`);
      expect([type, entities, preview.refused, status === 200]).toEqual([type, entities, preview.refused, preview.refused.length === 0]);
    }
  }
  expect([...seen].toSorted()).toEqual(["false false", "true true"]);
});
