import { type Entity, type ImportPreview, importFileBytes } from "@fairway/contract/entities";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { exampleOf } from "#testing/entity-example.ts";

it("limits an import to 2,000,000 bytes of compact JSON", async () => {
  const { admin } = await administrationApp();
  const docs = Array.from({ length: 100 }, (_, index) => ({ id: `d${index}`, name: "n", category: "c", description: "x".repeat(19_900) }));
  const sizeOf = (entities: unknown) => Buffer.byteLength(JSON.stringify(entities));
  const filled = (bytes: number) => [...docs, { id: "last", name: "n", category: "c", description: "é".repeat(5) + "x".repeat(bytes) }];
  const available = importFileBytes - sizeOf(filled(0));
  const tooLarge = filled(available + 1);
  for (const [method, path] of [
    ["POST", "docs/import/preview"],
    ["PUT", "docs/import"],
  ] as const) {
    expect(await admin(method, path, { entities: tooLarge, isReplace: false })).toMatchObject({
      status: 413,
      body: { errors: [{ code: "too-large", message: "An import can have at most 2,000,000 bytes of JSON; this one has 2,000,001." }] },
    });
  }
  expect((await admin<Entity[]>("GET", "docs")).body).toEqual([]);
  expect(sizeOf(filled(available))).toBe(2_000_000);
  expect((await admin("PUT", "docs/import", { entities: filled(available), isReplace: false })).status).toBe(200);
});

it("refuses more than 100 passwords, naming each, in the preview of users as in the import", async () => {
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

/** Creates valid entities by name, for types whose example cannot be derived. */
const examples: { readonly [Type in AdministeredType]?: (name: string) => Record<string, unknown> } = {
  users: (username) => ({ username }),
  groups: (name) => ({ name, realmRoles: ["reader"] }),
  roles: (name) => ({ name }),
  notices: (title) => ({ faIcon: "bell", title, message: "m" }),
  "datasets/internal": (id) => ({ ...buildDataset({ id }) }),
  "datasets/external": (name) => ({ name, baseRoute: "https://upstream.example.org" }),
  joltSpecifications: (name) => ({ name, joltSpec: [{ operation: "sort" }] }),
};

const builderOf = (type: AdministeredType) => examples[type] ?? ((name: string) => exampleOf(type, name));
const nameField = (build: (name: string) => Record<string, unknown>) =>
  Object.entries(build("sought")).find(([, value]) => value === "sought")?.[0] ?? "id";

/** A seeded random generator, so that failures can be reproduced. */
function seededRandom(seed: number): (max: number) => number {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 16) % max;
  };
}

it("accepts an import of any type exactly if its preview refuses nothing", async () => {
  const { admin } = await administrationApp();
  const seen = new Set<string>();
  for (const type of Object.keys(entityTypes) as AdministeredType[]) {
    const random = seededRandom(type.length);
    const build = builderOf(type);
    const field = nameField(build);
    expect((await admin("POST", type, build("there"))).status).toBe(201);
    const drafts: (() => unknown)[] = [
      ...Array.from({ length: 12 }, (_, index) => () => build(`new-${index}`)),
      () => build("there"),
      () => build(` new-1`),
      () => build("NEW-1"),
      () => ({ ...build("surplus"), surplus: 1 }),
      () => ({ ...build("x"), [field]: "\u200b" }),
      () => ({ ...build("on"), enabled: true }),
      () => ({ ...build("wrong"), version: "1" }),
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
