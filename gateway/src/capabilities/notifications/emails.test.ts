import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { Notifier } from "#personal/notify.ts";
import { mailSettings } from "#config/mail-settings.ts";
import { catalogApp } from "#testing/catalog-app.ts";
import type { OnClose } from "#testing/identity-app.ts";
import { mailPassword as password, openMailServer, type ReceivedMail } from "#testing/mail-server.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { openMailSender } from "./mail.ts";

const received: ReceivedMail[] = [];
/** Answers of the server to the next emails. */
let refusals: string[] = [];
const mailServer = () =>
  openMailServer((mail) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) throw new Error(refusal);
    received.push(mail);
  });
const urlOf = (port: number, secret = password) => `smtp://portal:${encodeURIComponent(secret)}@127.0.0.1:${port}`;
const portal = { publicUrl: "https://data.example.org", portalTitle: async () => "Harbour Office" };
const limits = { notificationsPerUser: 30, notificationDays: 90, notificationEmailSeconds: 600 };

beforeEach(() => {
  received.length = 0;
  refusals = [];
});

interface Options {
  readonly retrySeconds?: number;
  readonly secret?: string;
}

/** A gateway that sends emails. Those that fail are due again at once by default. */
async function mailingApp(onClose: OnClose, { retrySeconds = 0, secret = password }: Options = {}) {
  const server = await mailServer();
  onClose(server.close);
  const parts = { ...portal, mail: mailSettings(urlOf(server.port, secret), "portal@example.org"), limits, intervalMs: 50, retrySeconds };
  const app = await catalogApp(onClose, parts);
  const { pool } = app.gateway.database;
  const { rows } = await pool.query<{ id: string; username: string }>("select id, username from users");
  const idOf = (username: string) => rows.find((user) => user.username === username)?.id ?? "";
  const notify = (username: string, notification: Parameters<Notifier["notify"]>[1]) => app.notifier.notify([idOf(username)], notification);
  const makeDue = () => pool.query("update notifications set email_due_at = now() where email_due_at is not null");
  const waiting = async () => (await pool.query("select from notifications where email_due_at is not null")).rowCount;
  return { ...app, pool, parts, notify, makeDue, waiting };
}

const shared = sharedApp((onClose) => mailingApp(onClose), ["notifications"]);

const patience = { timeout: 8_000, interval: 50 };

it("sends the unread notifications of a user as one email of plain text, with links, and each once", async () => {
  const { notify, makeDue, waiting } = shared();
  await notify("grace", {
    title: "Your suggestion was approved\r\nBcc: all@example.org",
    text: "<b>ada</b> approved it.",
    link: "/data-catalog/nature/storms",
  });
  await notify("grace", { title: "Grüße" });
  await makeDue();
  await vi.waitFor(() => expect(received).toHaveLength(1), patience);
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  const [{ from, to, content } = { from: "", to: [], content: "" }] = received;
  expect([from, to]).toEqual(["portal@example.org", ["grace@example.org"]]);
  expect(content).toMatch(/^From: Harbour Office <portal@example\.org>\r?$/m);
  expect(content).toMatch(/^Subject: Harbour Office: 2 notifications\r?$/m);
  expect(content).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(content).toMatch(/^Content-Type: text\/plain; charset=utf-8\r?$/m);
  expect(content).not.toMatch(/^Bcc/m);
  const text = content
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  expect(text).toContain(
    "Your suggestion was approved Bcc: all@example.org\r\n<b>ada</b> approved it.\r\nhttps://data.example.org/data-catalog/nature/storms\r\n",
  );
  expect(received).toHaveLength(1);
});

it("sends none that was read, that the user may not see any more, or whose user is locked or has no usable address", async () => {
  const { notify, makeDue, waiting, pool, gateway, grace, ada } = shared();
  await pool.query("update users set email = 'grace@example.org, all@example.org' where username = 'grace'");
  await pool.query("update users set locked = true where username = 'root'");
  await notify("grace", { title: "To one address" });
  await notify("root", { title: "To nobody" });
  await notify("ada", { title: "Read" });
  await notify("ada", { title: "Hidden", dataset: { datasetCategory: "money", datasetId: "nothing" } });
  const { body } = await gateway.call<{ notifications: { id: string }[] }>("GET", "/notifications", { token: ada });
  await gateway.call("PUT", "/notifications/read", { token: ada, body: { ids: body.notifications.map(({ id }) => id) } });
  await makeDue();
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  expect(received).toEqual([]);
  expect((await gateway.call<{ unread: number }>("GET", "/notifications", { token: grace })).body.unread).toBe(1);
  await pool.query("update users set locked = false, email = username || '@example.org'");
});

it("tries again when the mail server refuses, gives up after four times, and logs why", async () => {
  const { notify, makeDue, waiting, gateway } = shared();
  refusals = ["Try later", "Try later"];
  await notify("grace", { title: "Late" });
  await makeDue();
  await vi.waitFor(() => expect(received).toHaveLength(1), patience);
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  refusals = Array.from({ length: 9 }, () => "Never");
  await notify("grace", { title: "Lost" });
  await makeDue();
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  expect([received.length, refusals.length]).toEqual([1, 5]);
  expect(gateway.logged()).toMatch(/"reason":"[^"]*Never".*giving up/);
});

it("a topic that comes back sends no further email within the hour", async () => {
  const { notify, makeDue, waiting, notifier, gateway, grace, pool } = shared();
  const topic = "harbor";
  await notify("grace", { title: "One ship", topic });
  await makeDue();
  await vi.waitFor(() => expect(received).toHaveLength(1), patience);
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  await notifier.retract(topic);
  await notify("grace", { title: "Two ships", topic });
  const { rows } = await pool.query("select email_due_at > now() + interval '50 minutes' as late from notifications where read_at is null");
  expect(rows).toEqual([{ late: true }]);
  const { body } = await gateway.call<{ notifications: object[] }>("GET", "/notifications", { token: grace });
  expect(body.notifications).toMatchObject([
    { title: "Two ships", isRead: false },
    { title: "One ship", isRead: true },
  ]);
  await notifier.retract(topic);
  expect(await waiting()).toBe(0);
});

it("never logs or reports the password, also when the mail server repeats it", async () => {
  const { gateway, notify, makeDue, waiting } = await mailingApp(onTestFinished, { secret: "wrong secret" });
  await notify("grace", { title: "Unsent" });
  await makeDue();
  await vi.waitFor(async () => expect(await waiting()).toBe(0), patience);
  expect(gateway.logged()).toMatch(/"reason":"[^"]*wrong password: \[hidden\]/);
  expect(gateway.logged()).not.toContain("wrong secret");
  expect(received).toEqual([]);
});

it("sends no password to another machine without encryption", async () => {
  expect(mailSettings("smtp://user:pw@mail.example.org", "a@example.org")).toMatchObject({ port: 587, tls: "required" });
  expect(mailSettings("smtps://user:pw@[::1]", "a@example.org")).toMatchObject({
    host: "::1",
    port: 465,
    tls: "from-start",
  });
  expect(mailSettings("smtp://mail.example.org:25", "a@example.org")).toMatchObject({ port: 25, auth: undefined, tls: "if-offered" });
  // The server's certificate is not trusted, and its offer of STARTTLS is not skipped.
  const sender = await openMailSender({ ...shared().parts.mail, tls: "required", fromName: async () => "Portal" });
  onTestFinished(() => sender.close());
  await expect(sender.send({ to: "grace@example.org", subject: "Hello", text: "Hello" })).rejects.toThrow(/certificate/);
  expect(received).toEqual([]);
});
