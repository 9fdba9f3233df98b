import { type Entity, type ImportPreview, importFileBytes } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";

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
