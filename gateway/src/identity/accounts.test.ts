import { expect, it } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";

const readAll = async ({ database }: IdentityApp) => {
  const rowsOf = async (query: string) => (await database.pool.query(query)).rows as unknown[];
  return {
    users: await rowsOf("select * from users order by username"),
    roles: await rowsOf("select name from roles order by name"),
    groups: await rowsOf(
      "select g.name, r.name as role from groups g join group_roles x on x.group_id = g.id join roles r on r.id = x.role_id",
    ),
    memberships: await rowsOf(
      "select u.username, g.name from user_groups m join users u on u.id = m.user_id join groups g on g.id = m.group_id",
    ),
    own: await rowsOf("select u.username, r.name from user_roles m join users u on u.id = m.user_id join roles r on r.id = m.role_id"),
  };
};

it("creates the described roles, groups and users", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  expect(await readAll(gateway)).toMatchObject({
    users: [
      {
        username: "ada",
        email: "ada@example.org",
        first_name: "Ada",
        last_name: "Lovelace",
        require_password_change: false,
        locked: false,
      },
      { username: "grace", email: "grace@example.org", first_name: "Grace", last_name: "Hopper" },
    ],
    roles: [{ name: "admin" }, { name: "editor" }, { name: "reader" }],
    groups: [{ name: "readers", role: "reader" }],
    memberships: [{ username: "ada", name: "readers" }],
    own: [{ username: "ada", name: "editor" }],
  });
});

it("changes nothing the second time, even with several gateways at once, and keeps edits", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const peer = await identityApp({ peer: gateway });
  await gateway.database.pool.query("update users set first_name = 'Augusta', username = 'Ada', locked = true where username = 'ada'");
  await gateway.database.pool.query("delete from user_roles");
  await gateway.database.pool.query("delete from group_roles");
  const before = await readAll(gateway);
  await Promise.all([gateway, peer, gateway, peer].map(({ identity }) => identity.ensureAccounts(someAccounts)));
  expect(await readAll(gateway)).toEqual(before);
});

it("creates accounts once when several gateways start at the same time", async () => {
  const gateway = await identityApp();
  const peer = await identityApp({ peer: gateway });
  await Promise.all([gateway, peer].map(({ identity }) => identity.ensureAccounts(someAccounts)));
  expect((await readAll(gateway)).users).toHaveLength(2);
});

it("creates nothing if a user belongs to an unknown group", async () => {
  const gateway = await identityApp();
  const [ada] = someAccounts.users;
  if (!ada) throw new Error("no user in the test accounts");
  const broken = { ...someAccounts, users: [ada, { ...ada, username: "eve", groups: ["strangers"] }] };
  await expect(gateway.identity.ensureAccounts(broken)).rejects.toThrow("user 'eve' belongs to group 'strangers', which does not exist");
  expect(await readAll(gateway)).toEqual({ users: [], roles: [], groups: [], memberships: [], own: [] });
});

it("creates no second user whose username differs only in spelling", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const [ada] = someAccounts.users;
  if (!ada) throw new Error("no user in the test accounts");
  await gateway.identity.ensureAccounts({ ...someAccounts, users: [{ ...ada, username: " ADA" }] });
  expect((await readAll(gateway)).users).toHaveLength(2);
});
