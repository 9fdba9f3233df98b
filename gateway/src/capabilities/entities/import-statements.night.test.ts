import type { Kysely, KyselyPlugin } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "#database/schema.ts";
import { ensureAccounts } from "#identity/accounts.ts";
import { testDatabaseForOneTest } from "#testing/postgres.ts";
import type { AccountParts } from "./account-repository.ts";
import { groupsRepository } from "./groups-repository.ts";
import { rolesRepository } from "./roles-repository.ts";
import { administrationOf } from "./service.ts";
import { usersRepository } from "./users-repository.ts";
import { someUser } from "#testing/some-user.ts";

const root = someUser({ id: "root", username: "root", roles: ["admin"] });
const parts: AccountParts = {
  identity: {
    userChanged: () => Promise.resolve(),
    everyoneChanged: () => Promise.resolve(),
    lockedByFailures: () => Promise.resolve(new Set()),
    forgiveFailures: () => Promise.resolve(),
  },
  passwordPolicy: { requireAcceptable: () => Promise.resolve() },
};

/** A database with an administrator, and a function that counts the statements of some work. */
async function countingDatabase() {
  const { db } = await testDatabaseForOneTest();
  const administrator = { username: "root", password: "tide-table", firstName: "", lastName: "", email: "", groups: ["Administrators"] };
  await ensureAccounts(db, { roles: ["admin"], groups: [{ name: "Administrators", roles: ["admin"] }], users: [administrator] });
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const countStatements = async (work: (db: Kysely<Database>) => Promise<unknown>) => {
    statements = 0;
    await work(db.withPlugin(counting));
    return statements;
  };
  return { db, countStatements };
}

const types = {
  users: {
    repository: usersRepository(parts),
    build: (n: number) => ({ username: `user ${n}`, roles: [{ name: "admin" }], lockStatus: { disabled: n % 2 === 0 } }),
  },
  groups: { repository: groupsRepository(parts), build: (n: number) => ({ name: `group ${n}`, realmRoles: ["admin"] }) },
  roles: { repository: rolesRepository(parts), build: (n: number) => ({ name: `role ${n}` }) },
};

it.each(["users", "groups", "roles"] as const)("imports a hundred %s with as many statements as ten", async (type) => {
  const { db, countStatements } = await countingDatabase();
  const { repository, build } = types[type];
  const entities = (from: number, count: number) => Array.from({ length: count }, (_, n) => build(from + n));
  const importing = (from: number, count: number) => (counting: Kysely<Database>) =>
    administrationOf(counting, repository, { revisionsPerEntity: 10 }).import(entities(from, count), false, root);
  const few = await countStatements(importing(0, 10));
  expect(await countStatements(importing(10, 100))).toBe(few);
  // The same entities again, unchanged.
  expect(await countStatements(importing(10, 100))).toBeLessThanOrEqual(few);
  const states = await db.transaction().execute((trx) => repository.states(trx));
  expect(states.length).toBe(111);
  expect(states.find(({ key }) => key.endsWith(" 42"))?.entity["version"]).toBe(type === "users" ? 2 : 1);
});

it("changes a hundred users with as many statements as ten, refusing each individually", async () => {
  const { db, countStatements } = await countingDatabase();
  const { repository } = types.users;
  const users = administrationOf(db, repository, { revisionsPerEntity: 10 });
  const all = await users.import(
    Array.from({ length: 110 }, (_, n) => ({ username: `user ${n}` })),
    false,
    root,
  );
  const idOf = (username: unknown) => String(all.find((user) => user["username"] === username)?.["id"]);
  const ids = Array.from({ length: 110 }, (_, n) => idOf(`user ${n}`));
  const disabling = (selected: readonly string[]) => (counting: Kysely<Database>) =>
    administrationOf(counting, repository, { revisionsPerEntity: 10 }).bulk(selected, "disable", root);
  const few = await countStatements(disabling(ids.slice(0, 10)));
  expect(await countStatements(disabling(ids.slice(10)))).toBe(few);
  const administrator = idOf("root");
  const { changed, refused } = await users.bulk([...ids.slice(0, 60), administrator, "nobody", ...ids.slice(60)], "delete", root);
  expect(changed).toEqual(ids);
  expect(refused.map(({ id, errors }) => [id, errors[0]?.code])).toEqual([
    [administrator, "conflict"],
    ["nobody", "not-found"],
  ]);
});

it("hashes the passwords of an import before taking the change lock, and none for a preview", async () => {
  const { db } = await countingDatabase();
  const repository = usersRepository(parts);
  const events: string[] = [];
  const watched: typeof repository = {
    ...repository,
    prepare: async (drafts, isKept) => {
      const prepared = await repository.prepare?.(drafts, isKept);
      events.push("prepared");
      return { takeHash: (password) => prepared?.takeHash(password) };
    },
    states: (trx, ids) => {
      events.push("read");
      return repository.states(trx, ids);
    },
  };
  const users = administrationOf(db, watched, { revisionsPerEntity: 10 });
  const password = { setPassword: true, value: "low water" };
  const entities = ["ada", "eve"].map((username) => ({ username, password }));
  await users.previewImport(entities, false, root);
  const preview = await repository.prepare?.(entities, false);
  expect(preview?.takeHash("low water")).toBe("");
  await users.import(entities, false, root);
  expect(events.filter((event, index) => event !== events[index - 1])).toEqual(["prepared", "read", "prepared", "read"]);
  const hashes = await db.selectFrom("users").select("password_hash").where("username", "in", ["ada", "eve"]).execute();
  expect(new Set(hashes.map(({ password_hash }) => password_hash?.slice(0, 9)))).toEqual(new Set(["$argon2id"]));
  expect(new Set(hashes.map(({ password_hash }) => password_hash)).size).toBe(2);
});
