import { feedbackAdministration, type ReceivedFeedback } from "@fairway/contract/feedback";
import { live } from "@fairway/contract/live";
import { type Notice, notices } from "@fairway/contract/notices";
import { notifications } from "@fairway/contract/notifications";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { currentSession } from "#lib/session/current-session.ts";
import { useLive } from "#lib/live-changes.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { ada, gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const lock = `fairway.live.${ada.sub}`;
const notice = (title: string): Notice => ({
  id: title,
  title,
  message: title,
  faIcon: "bullhorn",
  severity: "info",
  createdDateMs: 1_700_000_000_000,
});
const counts = () => gateway.received(notifications.list).length;
const streams = () => gateway.received(live.stream).length;
const isHealthy = () => useLive.getState().isHealthy;
const serveStream = () => gateway.serveEvents(live.stream, { kind: "open", build: null });
const answerUnread = (unread: number) => gateway.answer(notifications.list, { notifications: [], unread, total: unread, hasMore: false });
const bell = (unread: number) => page.getByRole("button", { name: `Notifications, ${unread} unread`, exact: true });

const until = (check: () => void) => vi.waitFor(check, 15_000);

/** Requires fake timers. Moves the clock, in steps that leave responses the time to come, until the check holds. */
const passUntil = (check: () => boolean, stepMs = 250) =>
  vi.waitUntil(
    async () => {
      await vi.advanceTimersByTimeAsync(stepMs);
      return check();
    },
    { timeout: 30_000, interval: 1 },
  );

beforeEach(() => serveDatasets(gateway));

// First, as its parts have to load before another test moves the clock.
it("offers notices that come while the page is open, without opening them", async () => {
  const stream = serveStream();
  gateway.answer(notices.viewed, ({ body }) => body);
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(isHealthy()).toBe(true));
  gateway.answer(notices.fresh, [notice("Closed on Friday")]);
  stream.send({ kind: "changed", topic: "notices", id: null });
  const bar = page.getByRole("region", { name: "New notices" });
  await expect.element(bar).toHaveTextContent("New notice: Closed on Friday");
  await expectCount(page.getByRole("dialog"), 0);
  await expectAccessible();
  gateway.answer(notices.fresh, [notice("Closed on Friday"), notice("Open again")]);
  stream.send({ kind: "changed", topic: "notices", id: null });
  await expect.element(bar).toHaveTextContent("There are 2 new notices.");
  await bar.getByRole("button", { name: "Read them" }).click();
  const dialog = page.getByRole("dialog", { name: "Information Notices" });
  await expect.element(dialog).toHaveTextContent("Closed on Friday");
  await expectCount(bar, 0);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await until(() => expect(gateway.received(notices.viewed)).toHaveLength(1));
  gateway.answer(notices.fresh, []);
  stream.send({ kind: "changed", topic: "notices", id: null });
  await expectCount(dialog, 0);
});

it("shows new notifications as soon as the stream tells of them, and asks rarely while it is open", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const stream = serveStream();
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(counts()).toBe(1));
  for (let beat = 0; beat < 15; beat += 1) {
    stream.sendText(":\n\n");
    await vi.advanceTimersByTimeAsync(20_000);
  }
  expect(counts()).toBe(1);
  answerUnread(3);
  stream.send({ kind: "changed", topic: "notifications", id: null });
  await expect.element(bell(3)).toBeVisible();
  expect([counts(), streams()]).toEqual([2, 1]);
});

it("asks every minute while there is no stream, tries again, and asks at once for what was missed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"] });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const stream = serveStream();
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(counts()).toBe(1));
  const tried: number[] = [];
  const refuse = () => {
    tried.push(Date.now());
    throw new Refused("not-ready", "Restarting.");
  };
  gateway.answer(live.stream, refuse, { times: 4 });
  const endedMs = Date.now();
  stream.end();
  await until(() => expect(isHealthy()).toBe(false));
  await passUntil(() => tried.length > 2);
  expect(counts()).toBe(1 + Math.floor((Date.now() - endedMs) / 60_000));
  answerUnread(4);
  await passUntil(isHealthy);
  // Doubled each time, give or take a half, which is chosen at random.
  const waits = tried.map((ms, index) => ms - (tried[index - 1] ?? endedMs));
  for (const [index, wait] of waits.entries()) expect(wait).toBeGreaterThanOrEqual(1_000 * 2 ** index);
  await expect.element(bell(4)).toBeVisible();

  gateway.refuse(live.stream, "not-ready", "Restarting.");
  stream.end();
  await until(() => expect(isHealthy()).toBe(false));
  answerUnread(5);
  await vi.advanceTimersByTimeAsync(61_000);
  await expect.element(bell(5)).toBeVisible();
});

it("takes a stream that falls silent for lost, and one that ends for renewal for none", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const stream = serveStream();
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(isHealthy()).toBe(true));
  let isAlwaysHealthy = true;
  const unsubscribe = useLive.subscribe((state) => (isAlwaysHealthy &&= state.isHealthy));
  stream.send({ kind: "end", reason: "renew" });
  stream.end();
  await until(() => expect(stream.open).toBe(0));
  await vi.advanceTimersByTimeAsync(500);
  await until(() => expect([streams(), stream.open]).toEqual([2, 1]));
  expect(isAlwaysHealthy).toBe(true);
  unsubscribe();
  await passUntil(() => !isHealthy(), 5_000);
});

it("shows feedback that arrives while administrators look at the list", async () => {
  const received: ReceivedFeedback = {
    id: "f-1",
    type: "bug",
    description: "The map is upside down.",
    datasets: [],
    attachments: [],
    status: "new",
    createdDateMs: 1_700_000_000_000,
    statusDateMs: null,
    username: "grace",
    name: "Grace Hopper",
    email: "",
  };
  const stream = serveStream();
  gateway.answer(feedbackAdministration.list, []);
  await openScreen("/feedback-settings", { roles: ["admin"] });
  await until(() => expect(isHealthy()).toBe(true));
  await until(() => expect(gateway.received(feedbackAdministration.list).length).toBeGreaterThan(0));
  gateway.answer(feedbackAdministration.list, [received]);
  stream.send({ kind: "changed", topic: "feedback", id: null });
  await expect.element(page.getByText("The map is upside down.").first()).toBeVisible();
});

it("offers another version of the page, and leaves it to the user", async () => {
  // A stream that ends for renewal is opened again after a time that is chosen at random.
  vi.spyOn(Math, "random").mockReturnValue(0);
  const meta = Object.assign(document.createElement("meta"), { name: "fairway-build", content: "a1" });
  document.head.append(meta);
  const stream = gateway.serveEvents(live.stream, { kind: "open", build: "a1" });
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(isHealthy()).toBe(true));
  const bar = page.getByRole("region", { name: "New version" });
  await expectCount(bar, 0);
  gateway.serveEvents(live.stream, { kind: "open", build: "b2" });
  stream.send({ kind: "end", reason: "renew" });
  stream.end();
  await expect.element(bar).toHaveTextContent("A new version is available. Reload the page to use it.");
  await expectAccessible();
  await bar.getByRole("button", { name: "Later" }).click();
  await expectCount(bar, 0);
  meta.remove();
});

it("one tab reads for all tabs of the browser; another takes over when it is closed or frozen", async () => {
  const stream = serveStream();
  const other = new BroadcastChannel(lock);
  const heard: unknown[] = [];
  other.addEventListener("message", ({ data }) => heard.push(data));
  // Another tab reads.
  let closeOther = () => {};
  await new Promise<void>((locked) => {
    void navigator.locks.request(lock, () => {
      locked();
      return new Promise<void>((resolve) => (closeOther = resolve));
    });
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
  const say = (message: object) => other.postMessage(message);
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect(heard).toContainEqual({ kind: "ask" }));
  say({ kind: "state", isHealthy: true, build: null });
  await until(() => expect([isHealthy(), counts()]).toEqual([true, 1]));
  answerUnread(5);
  say({ kind: "told", topic: "notifications", id: null });
  await expect.element(bell(5)).toBeVisible();
  expect(streams()).toBe(0);

  closeOther();
  await until(() => expect(stream.open).toBe(1));
  expect(heard).toContainEqual({ kind: "state", isHealthy: true, build: null });
  stream.send({ kind: "changed", topic: "notifications", id: null });
  await until(() => expect(heard).toContainEqual({ kind: "told", topic: "notifications", id: null }));

  // Another tab takes the lock, as after this one was frozen.
  let unfreeze = () => {};
  const frozen = navigator.locks.request(lock, { steal: true }, () => new Promise<void>((resolve) => (unfreeze = resolve)));
  await until(() => expect(stream.open).toBe(0));
  unfreeze();
  await frozen;
  await until(() => expect(stream.open).toBe(1));
  other.close();
});

it("takes over from a tab that holds the lock and says nothing", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const stream = serveStream();
  const frozen = navigator.locks.request(lock, () => new Promise<void>(() => {})).catch((error: unknown) => error);
  await openScreen("/search");
  await expectDatasets();
  await vi.advanceTimersByTimeAsync(2_000);
  await until(() => expect(counts()).toBe(1));
  expect(streams()).toBe(0);
  await passUntil(() => stream.open === 1 && isHealthy(), 5_000);
  expect(await frozen).toBeInstanceOf(DOMException);
});

it("closes the stream when the user signs out", async () => {
  const stream = serveStream();
  const opened = await openScreen("/search");
  await expectDatasets();
  await until(() => expect(stream.open).toBe(1));
  await currentSession().signOut();
  expect(opened.ended).toBe("signed-out");
  await until(() => expect(stream.open).toBe(0));
  expect((await navigator.locks.query()).held?.filter(({ name }) => name === lock)).toEqual([]);
});

it("reads again in a hidden tab once it is visible", async () => {
  const stream = serveStream();
  await openScreen("/search");
  await expectDatasets();
  await until(() => expect([counts(), isHealthy()]).toEqual([1, true]));
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  answerUnread(6);
  const heard = vi.fn<() => void>();
  const channel = new BroadcastChannel(lock);
  channel.addEventListener("message", heard);
  stream.send({ kind: "changed", topic: "notifications", id: null });
  await until(() => expect(heard).toHaveBeenCalled());
  expect(counts()).toBe(1);
  visibility.mockRestore();
  document.dispatchEvent(new Event("visibilitychange"));
  await expect.element(bell(6)).toBeVisible();
  channel.close();
});
