import { auth } from "@fairway/contract/auth";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectRows, sample } from "#testing/datasets-screen.ts";
import { press } from "#testing/keyboard.ts";
import { serveLimits } from "#testing/maps.ts";
import { ada, gateway, openScreen, tokenOf } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

/** Not of animation frames: minutes of them take longer than a test may. */
const clock = {
  toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
  shouldAdvanceTime: true,
} satisfies Parameters<typeof vi.useFakeTimers>[0];

beforeEach(() => {
  // The clock goes on for minutes while parts that are fetched ahead are still loading.
  serveLimits({ chunkLoadLimitMs: 3_600_000 });
});

it("shows a bar from a failed renewal until one succeeds", async () => {
  vi.useFakeTimers(clock);
  await openScreen("/search");
  await expectDatasets();
  gateway.disconnect(auth.refresh, { times: 1 });
  // The token lives 900 s: renewal after half of that, the retry a quarter later.
  await vi.advanceTimersByTimeAsync(451_000);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Your session could not be renewed.");
  await vi.advanceTimersByTimeAsync(226_000);
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  expect(gateway.received(auth.refresh)).toHaveLength(2);
  await expectDatasets();
});

it("renews the session of the open page only, not of one that was left", async () => {
  vi.useFakeTimers(clock);
  await openScreen("/search");
  await expectDatasets();
  await vi.advanceTimersByTimeAsync(100_000);
  await openScreen("/search");
  await expectDatasets();
  // The token of the page that was left would be renewed now, the open page's in 100 s.
  await vi.advanceTimersByTimeAsync(360_000);
  expect(gateway.received(auth.refresh)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(100_000);
  await expect.poll(() => gateway.received(auth.refresh)).toHaveLength(1);
});

it("signing in again in the dialog keeps the page's state", async () => {
  vi.useFakeTimers(clock);
  const opened = await openScreen("/search");
  await sample("storm-tracks");
  const address = location.href;
  gateway.disconnect(auth.refresh, { times: 1 });
  await vi.advanceTimersByTimeAsync(451_000);
  await page.getByRole("button", { name: "Sign in again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  const password = dialog.getByLabelText("Password", { exact: true });
  await expect.element(dialog.getByRole("textbox", { name: "Username" })).toHaveValue("ada");
  await expect.element(password).toHaveFocus();
  gateway.answer(auth.login, { requiresPasswordChange: false, token: tokenOf(ada, "refresh-2") });
  await password.fill("secret");
  await press("Enter");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  expect(location.href).toBe(address);
  await expectRows("storm-tracks");
  expect(opened.ended).toBeNull();
  // The next renewal is that of the new session.
  await vi.advanceTimersByTimeAsync(451_000);
  await expect.poll(() => gateway.received(auth.refresh).at(-1)?.body).toEqual({ refreshToken: "refresh-2" });
});
