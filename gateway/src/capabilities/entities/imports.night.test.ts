import type { ImportPreview } from "@fairway/contract/entities";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { exampleOf } from "#testing/entity-example.ts";

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
