import { expect, it } from "vitest";
import { identityApp, type IdentityApp, someAccounts } from "#testing/identity-app.ts";

const everything = async ({ database }: IdentityApp) => {
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

it("creates roles, groups and users as described", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  expect(await everything(gateway)).toMatchObject({
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

it("changes nothing the second time, nor what people changed in between, also with several gateways at once", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const beside = await identityApp({ peer: gateway });
  await gateway.database.pool.query("update users set first_name = 'Augusta', username = 'Ada', locked = true where username = 'ada'");
  await gateway.database.pool.query("delete from user_roles");
  await gateway.database.pool.query("delete from group_roles");
  const before = await everything(gateway);
  await Promise.all([gateway, beside, gateway, beside].map(({ identity }) => identity.ensureAccounts(someAccounts)));
  expect(await everything(gateway)).toEqual(before);
});

it("creates what is missing for several gateways at once", async () => {
  const gateway = await identityApp();
  const beside = await identityApp({ peer: gateway });
  await Promise.all([gateway, beside].map(({ identity }) => identity.ensureAccounts(someAccounts)));
  expect((await everything(gateway)).users).toHaveLength(2);
});

it("creates nothing at all when a user belongs to a group that is not described", async () => {
  const gateway = await identityApp();
  const [ada] = someAccounts.users;
  if (!ada) throw new Error("there is no user to begin with");
  const broken = { ...someAccounts, users: [ada, { ...ada, username: "eve", groups: ["strangers"] }] };
  await expect(gateway.identity.ensureAccounts(broken)).rejects.toThrow("user 'eve' belongs to group 'strangers', which does not exist");
  expect(await everything(gateway)).toEqual({ users: [], roles: [], groups: [], memberships: [], own: [] });
});

it("lets no two users share a username in any spelling", async () => {
  const gateway = await identityApp({ accounts: someAccounts });
  const [ada] = someAccounts.users;
  if (!ada) throw new Error("there is no user to begin with");
  await gateway.identity.ensureAccounts({ ...someAccounts, users: [{ ...ada, username: " ADA" }] });
  expect((await everything(gateway)).users).toHaveLength(2);
});
