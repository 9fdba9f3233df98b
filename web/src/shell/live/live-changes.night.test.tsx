import { live } from "@fairway/contract/live";
import { type Notice, notices } from "@fairway/contract/notices";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { Refused } from "#testing/contract-gateway.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";
import { answerUnread, bell, counts, isHealthy, lock, passUntil, serveStream, streams, until } from "#testing/live-changes.ts";
import { useLive } from "#lib/live/live-changes.ts";

const notice = (title: string): Notice => ({
  id: title,
  title,
  message: title,
  faIcon: "bullhorn",
  severity: "info",
  createdDateMs: 1_700_000_000_000,
});

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

it("polls every minute while there is no stream, tries again, and asks at once for missed changes", async () => {
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
