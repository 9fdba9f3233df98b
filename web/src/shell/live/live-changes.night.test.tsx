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
