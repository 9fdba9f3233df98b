import { type Notification, notifications } from "@fairway/contract/notifications";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts } from "#testing/assertions.ts";
import { expectDatasets } from "#testing/results.ts";
import { press } from "#testing/keyboard.ts";
import { buildNotification } from "#testing/notifications.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const pageSize = 25;

let stored: Notification[];

const unreadCount = () => stored.filter(({ isRead }) => !isRead).length;

beforeEach(() => {
  stored = [
    buildNotification("3", {
      title: "Your suggestion for storm-tracks was declined",
      text: "Reason: <b>too</b> short.\nYou suggested: Gusts.",
      link: "/FAQ?entry=storm",
      isRead: false,
    }),
    buildNotification("2", { title: "Not a link", link: "//evil.example.org/", isRead: false }),
    buildNotification("1"),
    ...Array.from({ length: 30 }, (_, index) => buildNotification(`older ${index}`)),
  ];
  gateway.answer(notifications.list, ({ query: { before } }) => {
    const start = before === undefined ? 0 : stored.findIndex(({ id }) => id === before) + 1;
    const shown = stored.slice(start, start + pageSize);
    return { notifications: shown, unread: unreadCount(), total: stored.length, hasMore: start + shown.length < stored.length };
  });
  gateway.answer(notifications.read, ({ body: { ids, all } }) => {
    stored = stored.map((one) => (all === true || ids?.includes(one.id) ? { ...one, isRead: true } : one));
    return { unread: unreadCount() };
  });
});

const bell = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialog = () => page.getByRole("dialog", { name: "Notifications" });
const items = () => dialog().getByRole("listitem");

it("the bell counts unread notifications, which open on demand, are plain text, link into the product and are marked as read", async () => {
  await openScreen("/search");
  await expect.element(bell("Notifications, 2 unread")).toBeVisible();
  await expectCount(dialog(), 0);
  bell("Notifications, 2 unread").element().focus();
  await press("Enter");
  await expectCount(items(), pageSize);
  await expect.element(dialog().getByText("Reason: <b>too</b> short.")).toBeVisible();
  await expectTexts(dialog().getByRole("heading", { level: 3, name: /^Unread/ }), [
    "Unread: Your suggestion for storm-tracks was declined",
    "Unread: Not a link",
  ]);
  await expectCount(dialog().getByRole("link"), 1);
  await expectAccessible();
  await dialog().getByRole("button", { name: "Show older" }).click();
  await expectCount(items(), stored.length);
  await expectCount(dialog().getByRole("button", { name: "Show older" }), 0);

  await dialog().getByRole("button", { name: "Mark as read: Not a link" }).click();
  await expectCount(dialog().getByRole("heading", { name: /^Unread/ }), 1);
  await press("Escape");
  await expect.element(bell("Notifications, 1 unread")).toHaveFocus();
  await bell("Notifications, 1 unread").click();
  await dialog().getByRole("link", { name: "Your suggestion for storm-tracks was declined" }).click();
  await expectAddress("/FAQ?entry=storm");
  await expectCount(dialog(), 0);
  await expect.element(bell("Notifications")).toBeVisible();
  expect(gateway.received(notifications.read).map(({ body }) => body)).toEqual([{ ids: ["2"] }, { ids: ["3"] }]);
});

it("on a phone, the bell is in the menu; all are marked as read at once, and a failure is reported and can be retried", async () => {
  await page.viewport(390, 844);
  await openScreen("/search");
  await vi.waitFor(() => expect(gateway.received(notifications.list)).toHaveLength(1));
  gateway.refuse(notifications.list, "internal", "Broken.", { times: 1 });
  await page.getByRole("button", { name: "Open menu" }).click();
  await bell(/^Notifications/).click();
  await dialog().getByRole("button", { name: "Retry" }).click();
  await dialog().getByRole("button", { name: "Mark all as read" }).click();
  await expect.element(dialog().getByRole("status")).toHaveTextContent("None unread");
  expect(gateway.received(notifications.read).map(({ body }) => body)).toEqual([{ all: true }]);
});

it("reads the count every minute while the tab is visible", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  const calls = () => gateway.received(notifications.list).length;
  await openScreen("/search");
  await expectDatasets();
  await vi.waitFor(() => expect(calls()).toBe(1));
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await vi.advanceTimersByTimeAsync(180_000);
  expect(calls()).toBe(1);
  visibility.mockRestore();
  stored = [buildNotification("new", { isRead: false }), ...stored];
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.element(bell("Notifications, 3 unread")).toBeVisible();
  expect(calls()).toBe(2);
});
