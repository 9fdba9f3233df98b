import type { Entity } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";

it("[PASSWORD-07] unlinks the user's card when an administrator sets a password, but not on other changes", async () => {
  const { admin, gateway } = await administrationApp();
  const { db } = gateway.database;
  const user = (await admin<(Entity & { id: string; username: string })[]>("GET", "users")).body.find(({ username }) => username === "ada");
  const id = user?.id ?? "";
  await db.insertInto("card_links").values({ user_id: id, issuer: "https://cards.example.org", card_hash: "a hash" }).execute();
  const links = () => db.selectFrom("card_links").select("user_id").execute();
  const renamed = await admin<Entity>("PUT", "users", { ...user, lastName: "King" });
  expect([renamed.status, await links()]).toEqual([200, [{ user_id: id }]]);
  const changed = await admin("PUT", "users", { ...renamed.body, password: { setPassword: true, value: "new words" } });
  expect([changed.status, await links()]).toEqual([200, []]);
});
