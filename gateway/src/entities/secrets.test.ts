import { randomBytes } from "node:crypto";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { UnreadableCiphertext, masterKeyOf } from "#secrets/master-key.ts";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { secretKey } from "#testing/secret-key.ts";
import { externalDatasets as type } from "./entity-types.ts";
import { type EntityStore, entityStore } from "./store.ts";

let database: TestDatabase;
let store: EntityStore;
const silent = pino({ level: "silent" });
beforeAll(async () => {
  database = await testDatabase();
  store = entityStore(database.db, silent, secretKey);
});
afterAll(() => database.drop());
beforeEach(() => database.db.deleteFrom("entities").execute());

const entity = (key: string, password = "keystore-pass") => ({
  name: "Airline",
  baseRoute: "https://api.example.org",
  apiKeyCredential: { headerName: "X-Key", key },
  keystoreCredential: { path: "airline.p12", type: "PKCS12", password },
});
const storedBodies = async () => JSON.stringify(await database.db.selectFrom("entities").select("body").execute());

it("masks secrets in every result and stores them encrypted", async () => {
  const answers = [
    await store.create(type, entity("first-key")),
    await store.get(type, "Airline"),
    ...(await store.list(type)),
    await store.replace(type, "Airline", entity("second-key")),
    await store.setEnabled(type, "Airline", false),
  ];
  expect(answers).toHaveLength(5);
  for (const answer of answers) {
    expect(answer.body).toMatchObject({ apiKeyCredential: { key: "********" }, keystoreCredential: { password: "********" } });
    expect(JSON.stringify(answer)).not.toMatch(/first-key|second-key|keystore-pass|v1\./);
  }
  expect(await storedBodies()).not.toMatch(/first-key|second-key|keystore-pass/);
});

it("reveals secrets on request", async () => {
  await store.create(type, entity("first-key"));
  const [stored] = await store.list(type);
  expect(stored?.reveal()).toMatchObject({ apiKeyCredential: { key: "first-key" }, keystoreCredential: { password: "keystore-pass" } });
});

it("keeps a secret if its mask is sent back, and otherwise replaces it", async () => {
  await store.create(type, entity("first-key"));
  await store.replace(type, "Airline", entity("********", "new-pass"));
  expect((await store.get(type, "Airline")).reveal()).toMatchObject({
    apiKeyCredential: { key: "first-key" },
    keystoreCredential: { password: "new-pass" },
  });
});

it("accepts a mask only if the host, header and keystore of the secret are unchanged", async () => {
  await store.create(type, entity("first-key"));
  const same = entity("********", "********");
  for (const moved of [
    { ...same, baseRoute: "https://elsewhere.example.net" },
    { ...same, baseRoute: "http://api.example.org", keystoreCredential: null },
    { ...same, apiKeyCredential: { headerName: "X-Forwarded-For", key: "********" } },
    { ...same, keystoreCredential: { ...same.keystoreCredential, path: "other.p12" } },
  ]) {
    await expect(store.replace(type, "Airline", moved)).rejects.toMatchObject({
      code: "invalid-value",
      message: expect.stringContaining("Enter the secret again: the address changed."),
    });
  }
  await store.replace(type, "Airline", { ...same, baseRoute: "https://api.example.org/v2" });
  await store.replace(type, "Airline", { ...same, keystoreCredential: null });
  await store.replace(type, "Airline", { ...entity("new-key", "new-pass"), baseRoute: "https://elsewhere.example.net" });
  expect((await store.get(type, "Airline")).reveal()).toMatchObject({ apiKeyCredential: { key: "new-key" } });
});

it("refuses a mask if there is no secret, and treats an empty password as none", async () => {
  await expect(store.create(type, entity("********"))).rejects.toMatchObject({
    code: "invalid-request",
    errors: [{ path: "apiKeyCredential.key" }],
  });
  await store.create(type, entity("first-key", ""));
  await expect(store.replace(type, "Airline", entity("first-key"), 1)).resolves.toBeDefined();
  await store.replace(type, "Airline", { ...entity("first-key"), keystoreCredential: null });
  await expect(store.replace(type, "Airline", entity("********"))).resolves.toBeDefined();
  await store.replace(type, "Airline", entity("********", ""));
  expect((await store.get(type, "Airline")).body.keystoreCredential?.password).toBe("");
  await expect(store.replace(type, "Airline", entity("first-key", "********"))).rejects.toMatchObject({
    errors: [{ path: "keystoreCredential.password" }],
  });
});

it("cannot reveal a secret with another master key, or one that was moved to another entity", async () => {
  await store.create(type, entity("first-key"));
  const [otherKeyEntity] = await entityStore(database.db, silent, masterKeyOf(randomBytes(32))).list(type);
  expect(() => otherKeyEntity?.reveal()).toThrow(UnreadableCiphertext);
  const { body } = await database.db.selectFrom("entities").select("body").executeTakeFirstOrThrow();
  const moved = { ...body, name: "Other" };
  await database.db
    .insertInto("entities")
    .values({ type: type.name, id: "Other", enabled: true, body: JSON.stringify(moved) })
    .execute();
  const other = await store.get(type, "Other");
  expect(() => other.reveal()).toThrow(UnreadableCiphertext);
});
