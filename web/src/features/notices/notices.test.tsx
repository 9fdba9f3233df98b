import { type Notice, notices } from "@fairway/contract/notices";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";

const modal = () => page.getByRole("dialog", { name: /^Information Notices?$/ });
const button = (name: string) => modal().getByRole("button", { name, exact: true });

const notice = (title: string, overrides: Partial<Notice> = {}): Notice => ({
  id: `id of ${title}`,
  title,
  message: title,
  faIcon: "bullhorn",
  severity: "info",
  createdDateMs: 1_700_000_000_000,
  ...overrides,
});

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(notices.viewed, ({ body }) => body);
});

describe("several new notices", () => {
  openOnce(async () => {
    gateway.answer(notices.fresh, [notice("Third of three"), notice("Second of three"), notice("First of three")]);
    await openScreen("/search");
  });

  it("[NOTICE-07][NOTICE-09] are read one after the other, and can be closed once the last was reached", async () => {
    await expect.element(modal()).toHaveTextContent("Third of three");
    await expect.element(button("Close")).not.toBeInTheDocument();
    await press("Escape");
    await expect.element(button("Previous")).toBeDisabled();
    await button("Next").click();
    await expect.element(modal()).toHaveTextContent("Second of three");
    await expect.element(button("Close")).not.toBeInTheDocument();
    await button("Next").click();
    await expect.element(modal()).toHaveTextContent("First of three");
    await expect.element(button("Next")).toBeDisabled();
    await expect.element(button("Close")).toBeVisible();
    for (const title of ["Second of three", "Third of three"]) {
      await button("Previous").click();
      await expect.element(modal()).toHaveTextContent(title);
    }
    expect(gateway.received(notices.viewed)).toEqual([]);
  });

  it("[NOTICE-10] are all marked as viewed by Close", async () => {
    await button("Next").click();
    await button("Next").click();
    await button("Close").click();
    await expect
      .poll(() => gateway.received(notices.viewed).map(({ body }) => body.toSorted()))
      .toEqual([["id of First of three", "id of Second of three", "id of Third of three"]]);
  });
});

describe("/notices", () => {
  openOnce(async () => {
    gateway.answer(notices.list, [
      notice("<b>Newest</b>", {
        faIcon: "triangle-exclamation",
        severity: "warning",
        message: "<img src=x onerror=alert(1)> [status](https://status.example/) [trap](javascript:alert(1))",
      }),
      notice("An older one", { message: "Nothing new." }),
    ]);
    await openScreen("/notices");
  });

  const items = page.getByRole("list", { name: "Notices" }).getByRole("button");
  const viewer = page.getByRole("region", { name: "Chosen notice" });

  it("[ROUTE-33][SHELL-25] is an entry of the profile", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "Notices", exact: true })).toBeVisible();
    const entry = page.getByRole("navigation", { name: "Profile" }).getByRole("link", { name: "Notices" });
    await expect.element(entry).toHaveAttribute("aria-current", "page");
  });

  it("[NOTICE-03] lists the newest first", async () => {
    await expectTexts(items, [/^<b>Newest<\/b>/, /^An older one/]);
  });

  it("[NOTICE-04] shows the icon, title, message and time of a notice, and stored markup as text", async () => {
    await expect.element(viewer.getByRole("heading", { name: "<b>Newest</b>" })).toBeVisible();
    await expect.element(viewer.css("svg[data-icon=triangle-exclamation]")).toBeVisible();
    await expect.element(viewer).toHaveTextContent("Warning");
    await expectAccessible();
    await expect.element(viewer).toHaveTextContent(/\d\d-\d\d-\d{4}, (?:[1-9]|1[0-2]):\d\d:\d\d [ap]m/);
    await expect.element(viewer).toHaveTextContent("<img src=x onerror=alert(1)>");
    await expect.element(viewer.css("img")).not.toBeInTheDocument();
    await expectCount(viewer.getByRole("link"), 1);
    await expect.element(viewer.getByRole("link", { name: "status" })).toHaveAttribute("rel", expect.stringMatching(/noopener/));
  });

  it("[NOTICE-01] shows the chosen notice", async () => {
    await items.nth(1).click();
    await expect.element(viewer).toHaveTextContent("Nothing new.");
  });
});

it("[NOTICE-11][SESSION-24] a failed load of the screen can be retried, and a failed load of new notices shows nothing", async () => {
  const logged = vi.spyOn(console, "warn").mockReturnValue(undefined);
  gateway.refuse(notices.fresh, "internal", "It broke.");
  gateway.answer(notices.list, [notice("Behind a failure")]);
  gateway.refuse(notices.list, "internal", "It broke.", { times: 1 });
  await openScreen("/search");
  await expectDatasets();
  await expect.poll(() => logged.mock.calls.map(([text]) => String(text))).toContain("The new notices could not be loaded:");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await openScreen("/notices");
  await expect.element(page.getByText("An error occurred while loading notices.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("list", { name: "Notices" })).toHaveTextContent("Behind a failure");
});
