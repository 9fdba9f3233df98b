import { expect, it } from "vitest";
import { Refusal } from "#http/refusal.ts";
import { validateImport } from "./imports.ts";
import type { EntityRepository, Trx } from "./entity-repository.ts";

/** Blocks for a while on each draft, like a large schema, and refuses drafts without a name. */
const repository = {
  noun: "thing",
  idField: "name",
  canDisable: true,
  isExclusive: false,
  states: () => Promise.resolve([]),
  idOf: () => Promise.resolve(undefined),
  validate: (draft: { readonly name?: string }) => {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    if (draft.name === undefined) throw new Refusal("invalid-request", "'name': is missing.", { path: "name" });
    return Promise.resolve({ id: draft.name, key: draft.name, draft });
  },
} as unknown as EntityRepository;
const trx = {} as Trx;

it("yields to the event loop while validating an import", async () => {
  let turns = 0;
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const entities = Array.from({ length: 500 }, (_, n) => ({ name: `n${n}` }));
  const { changes, refused } = await validateImport(repository, entities, false, trx);
  isOver = true;
  expect([changes.length, refused.length]).toEqual([500, 0]);
  expect(turns).toBeGreaterThan(2);
});

it("stops validating an import after a thousand refused entities", async () => {
  const entities = [{ name: "a" }, ...Array.from({ length: 2_000 }, () => ({}))];
  const { refused } = await validateImport(repository, entities, false, trx);
  expect(refused).toHaveLength(1_001);
  expect(refused.at(-1)).toEqual({
    index: null,
    id: null,
    errors: [{ code: "invalid-request", message: "Only the first 1001 entities were checked, because 1000 of them are refused." }],
  });
});
