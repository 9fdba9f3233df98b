import type { NotificationPage } from "@fairway/contract/notifications";
import { beforeEach, expect, it } from "vitest";
import { internalDatasets } from "#entities/entity-types.ts";
import type { Notifier } from "#personal/notify.ts";
import { catalogApp } from "#testing/catalog-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const limits = { notificationsPerUser: 30, notificationDays: 90, notificationEmailSeconds: 60 };
const shared = sharedApp((onClose) => catalogApp(onClose, { limits }), ["notifications"]);

const ids: Record<string, string> = {};
beforeEach(async () => {
  const { rows } = await shared().gateway.database.pool.query<{ id: string; username: string }>("select id, username from users");
  for (const { id, username } of rows) ids[username] = id;
});

const notify = (usernames: readonly string[], notification: Parameters<Notifier["notify"]>[1]) =>
  shared().notifier.notify(
    usernames.map((name) => ids[name] ?? name),
    notification,
  );
const page = async (token: string, before = "") =>
  (await shared().gateway.call<NotificationPage>("GET", `/notifications${before === "" ? "" : `?before=${before}`}`, { token })).body;
const markRead = (token: string, body: object) => shared().gateway.call<{ unread: number }>("PUT", "/notifications/read", { token, body });
const titles = async (token: string) => (await page(token)).notifications.map(({ title }) => title);

it("lists a user's notifications in pages, newest first, and keeps a limited number of each user", async () => {
  const { grace, ada } = shared();
  for (let number = 1; number <= 33; number += 1) await notify(["grace", "nobody"], { title: `Number ${number}` });
  const first = await page(grace);
  expect([first.notifications.length, first.unread, first.total, first.hasMore]).toEqual([25, 30, 30, true]);
  expect(first.notifications[0]).toEqual({
    id: expect.any(String),
    title: "Number 33",
    text: "",
    link: null,
    isRead: false,
    createdDateMs: expect.any(Number),
  });
  const second = await page(grace, first.notifications.at(-1)?.id);
  expect([second.notifications.map(({ title }) => title), second.hasMore]).toEqual([
    ["Number 8", "Number 7", "Number 6", "Number 5", "Number 4"],
    false,
  ]);
  expect(await page(grace, "unknown")).toMatchObject({ notifications: [], hasMore: false, total: 30 });
  expect(await page(ada)).toEqual({ notifications: [], unread: 0, total: 0, hasMore: false });
});

it("marks one's own notifications as read, single ones or all", async () => {
  const { grace, ada, reported } = shared();
  reported.take();
  for (const title of ["One", "Two", "Three"]) await notify(["grace", "ada"], { title });
  const changeFor = (...users: string[]) => ({ topic: "notifications", audience: { users: users.map((name) => ids[name]) } });
  expect(reported.take()).toEqual([changeFor("grace", "ada"), changeFor("grace", "ada"), changeFor("grace", "ada")]);
  const [three, two] = (await page(grace)).notifications;
  expect((await markRead(grace, { ids: [two?.id, "unknown"] })).body).toEqual({ unread: 2 });
  expect((await page(grace)).notifications.map(({ isRead }) => isRead)).toEqual([false, true, false]);
  expect((await markRead(ada, { ids: [three?.id] })).body).toEqual({ unread: 3 });
  expect((await markRead(grace, { all: true })).body).toEqual({ unread: 0 });
  expect(reported.take()).toEqual([changeFor("grace"), changeFor("ada"), changeFor("grace")]);
  expect([(await page(grace)).unread, (await page(ada)).unread]).toEqual([0, 3]);
  for (const body of [{}, { ids: [], all: true }, { all: false }]) expect((await markRead(grace, body)).status).toBe(400);
});

it("an unread notification is replaced by the next one of its topic, for each user by itself, and can be retracted", async () => {
  const { grace, ada, notifier } = shared();
  const topic = "harbor";
  await notify(["grace", "ada"], { title: "One ship", topic });
  await notify(["grace", "ada"], { title: "Rain" });
  await markRead(ada, { all: true });
  await Promise.all(Array.from({ length: 5 }, () => notify(["ada", "grace"], { title: "Two ships", topic })));
  expect([await titles(grace), await titles(ada)]).toEqual([
    ["Two ships", "Rain"],
    ["Two ships", "Rain", "One ship"],
  ]);
  const { reported } = shared();
  reported.take();
  await notifier.retract(topic);
  const [change] = reported.take();
  expect(change).toEqual({ topic: "notifications", audience: { users: expect.arrayContaining([ids["ada"], ids["grace"]]) } });
  expect([await titles(grace), await titles(ada)]).toEqual([["Rain"], ["Rain", "One ship"]]);
});

it("hides notifications about datasets that the user may not read and for roles that they do not hold, from the count as well", async () => {
  const { grace, ada, entities } = shared();
  const about = (datasetCategory: string, datasetId: string) => ({ dataset: { datasetCategory, datasetId } });
  await notify(["grace", "ada"], { title: "Secret", ...about("money", "secrets") });
  await notify(["grace", "ada"], { title: "Editors", role: "schema-edit" });
  await notify(["grace", "ada"], { title: "Budget", ...about("money", "budget") });
  await notify(["grace", "ada"], { title: "Gone", ...about("money", "nothing") });
  expect(await page(grace)).toMatchObject({ unread: 1, total: 1, notifications: [{ title: "Budget" }] });
  expect(await titles(ada)).toEqual(["Budget", "Editors", "Secret"]);
  await entities.setEnabled(internalDatasets, "budget", false);
  expect([await page(grace), (await markRead(grace, { all: true })).body]).toMatchObject([{ unread: 0, total: 0 }, { unread: 0 }]);
  await entities.setEnabled(internalDatasets, "budget", true);
  expect(await page(grace)).toMatchObject({ unread: 1, notifications: [{ title: "Budget", isRead: false }] });
});

it("stores texts as they are, on one line for titles, and cuts them if they are too long", async () => {
  const { grace } = shared();
  await notify(["grace"], { title: "<img src=x>\r\nBcc: all", text: `${"x".repeat(1_998)}\u{1f30a}\u{1f30a}` });
  const [first] = (await page(grace)).notifications;
  expect([first?.title, first?.text]).toEqual(["<img src=x> Bcc: all", `${"x".repeat(1_998)}…`]);
});

it("removes old notifications, and those of a removed account", async () => {
  const { grace, gateway, notifier } = shared();
  const { pool } = gateway.database;
  await notify(["grace"], { title: "Old" });
  await pool.query("update notifications set created_at = now() - interval '91 days'");
  await notify(["grace"], { title: "New" });
  await shared().prune();
  expect(await titles(grace)).toEqual(["New"]);
  await pool.query("insert into users (id, username, username_key) values ('leaver', 'leaver', 'leaver')");
  await notifier.notify(["leaver"], { title: "Hello" });
  await pool.query("delete from users where id = 'leaver'");
  expect((await pool.query("select title from notifications")).rows).toEqual([{ title: "New" }]);
});

it("logs what could not be stored, and does not reject", async () => {
  const { gateway, notifier } = shared();
  await notifier.notify([ids["grace"] ?? ""], { title: "\0", link: "\0" });
  expect(gateway.logged()).toContain("a notification could not be stored");
});
