import { feedbackAdministration, type ReceivedFeedback } from "@fairway/contract/feedback";
import { live } from "@fairway/contract/live";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { currentSession } from "#lib/session/current-session.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";
import { answerUnread, bell, counts, isHealthy, lock, serveStream, streams, until } from "#testing/live-changes.ts";

it("shows new notifications as soon as the stream reports them, and polls rarely while it is open", async () => {
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
