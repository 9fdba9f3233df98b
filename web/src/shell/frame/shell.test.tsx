import { profile } from "@fairway/contract/profile";
import { notices } from "@fairway/contract/notices";
import { apiKeys } from "@fairway/contract/api-keys";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { expectAddress, expectCount, expectText, expectTexts } from "#testing/assertions.ts";
import { cardIssuer } from "#testing/cards.ts";
import { expectRows, picker, sample } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, uiConfig } from "#testing/open-screen.tsx";
import { expectDatasets, katrina, recentSearches, searchLink } from "#testing/results.ts";

const rail = () => page.getByRole("navigation", { name: "Main" });
const panel = () => page.getByRole("navigation", { name: "Search", exact: true });

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(profile.read, { username: "ada", email: "ada@fairway.example", firstName: "Ada", lastName: "Lovelace", roles: [] });
  gateway.answer(ownSessions.list, []);
  gateway.answer(ownSessions.signIns, []);
  gateway.answer(ownSecurityEvents.list, []);
  gateway.answer(apiKeys.list, []);
  gateway.answer(notices.list, []);
});

describe("the rail", () => {
  openOnce(async () => void (await openScreen("/search", { roles: [] })));
  const person = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Ada Lovelace", exact: true });
  const logout = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Logout", exact: true });
  const top = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search", exact: true });
  const datasets = () => panel().getByRole("link", { name: "Datasets" });

  it("[SHELL-31][SHELL-32] has the user, as a link to the profile, and Logout at its bottom", async () => {
    await expect.element(person).toHaveAttribute("href", "/user-profile");
    await expect.element(logout).toBeVisible();
    const [first, middle, last] = [top, person, logout].map((one) => one.element().getBoundingClientRect());
    expect(first?.y).toBeLessThan(300);
    expect(middle?.y).toBeGreaterThan(600);
    expect(last?.y).toBeGreaterThan(middle?.y ?? Number.NaN);
    expect(last?.bottom).toBeLessThanOrEqual(900);
  });

  it("[ACCESS-01] has the entries for everyone, also without roles", async () => {
    await expect.element(datasets()).toBeVisible();
  });

  it("[SHELL-02][SHELL-03] has a second panel that can be hidden and shown again, also by its group", async () => {
    const hide = async () => {
      await panel().getByRole("button", { name: "Hide panel" }).click();
      await expect.element(panel()).not.toBeInTheDocument();
    };
    await hide();
    await page.getByRole("button", { name: "Show panel" }).click();
    await expect.element(panel()).toBeVisible();
    await hide();
    await top.click();
    await expect.element(datasets()).toBeVisible();
  });
});

it("Skip to content is the first tab stop and skips the menus", async () => {
  await openScreen("/search");
  await expectDatasets();
  // As after a page load: the browser continues from the last focused place, even if the element is gone.
  const root = document.documentElement;
  root.tabIndex = -1;
  root.focus();
  root.removeAttribute("tabindex");
  await press("Tab");
  await expect.element(page.getByRole("link", { name: "Skip to content" })).toHaveFocus();
  await press("Enter");
  await expect.element(page.getByRole("main")).toHaveFocus();
  await expectAddress("/search");
});

describe("recent searches", () => {
  openOnce(async () => {
    vi.setSystemTime(new Date("2026-03-04T19:07:00Z"));
    await openScreen("/search");
    await expectDatasets();
    await sample("storm-tracks");
  });

  const announced = () => page.css("output[aria-live=polite]").query()?.textContent;

  it("announce their screen by its h1, which receives the focus", async () => {
    await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toHaveFocus();
    await expect.poll(announced).toContain("storm-tracks");
  });

  it("[SHELL-06] show their start as 'h:mm a' in the browser's zone", async () => {
    await expectText(recentSearches().getByRole("time"), "2:07 pm");
  });

  it("[SHELL-07] have a preview, which opens 200 ms after hovering and closes at once", async () => {
    const preview = page.getByRole("tooltip");
    // Timers can become fake only while the time is real.
    vi.useRealTimers();
    vi.useFakeTimers();
    await recentSearches().getByRole("link").hover();
    await vi.advanceTimersByTimeAsync(199);
    await expect.element(preview).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(1);
    // Waiting for an element would advance fake timers.
    vi.useRealTimers();
    await expect.element(preview).toHaveTextContent("Tropical weather, storm-tracks");
    await expect.element(preview).toHaveTextContent("Sample");
    await page.getByRole("heading", { level: 1 }).hover();
    await expect.element(preview).not.toBeInTheDocument();
  });

  it("[SHELL-04][SHELL-05] are left for the datasets, each opens its own results, and they are closed one by one", async () => {
    const storms = location.pathname;
    vi.setSystemTime(new Date("2026-03-05T06:08:00Z"));
    await panel().getByRole("link", { name: "Datasets" }).click();
    await expectAddress("/search");
    await expect.element(page.getByRole("heading", { level: 1, name: "Datasets" })).toHaveFocus();
    await expect.poll(announced).toContain("Datasets");
    await sample("earthquakes");
    const quakes = location.pathname;
    await expectCount(recentSearches(), 2);
    await expect.element(recentSearches().nth(0)).toHaveTextContent("earthquakes");
    await expect.element(recentSearches().nth(1)).toHaveTextContent("storm-tracks");
    await expectText(recentSearches().nth(0).getByRole("time"), "1:08 am");

    await recentSearches().nth(1).getByRole("link").click();
    await expectRows("storm-tracks");
    await expectAddress(storms);
    await recentSearches().nth(0).getByRole("link").click();
    await expectRows("earthquakes");
    await expectAddress(quakes);
    await expect.element(recentSearches().nth(0).getByRole("link")).toHaveAttribute("aria-current", "page");

    await recentSearches().nth(0).hover();
    await recentSearches()
      .nth(0)
      .getByRole("button", { name: /^Close earthquakes/ })
      .click();
    await expectAddress("/search");
    await expectCount(recentSearches(), 1);

    // Closing another search leaves the one that is shown.
    await sample("earthquakes");
    const shown = location.pathname;
    await recentSearches().nth(1).hover();
    await recentSearches()
      .nth(1)
      .getByRole("button", { name: /^Close storm-tracks/ })
      .click();
    await expectCount(recentSearches(), 1);
    await page.getByRole("button", { name: "Actions", exact: true }).click();
    await expect.element(page.getByRole("menuitem", { name: "Rerun Search", exact: true })).toBeVisible();
    await expectAddress(shown);
  });
});

it("[SHELL-25][SHELL-26] the Profile group has no item in the rail; its entries are shown in order, with 'About' for the profile, while one of its pages is open", async () => {
  gateway.answer(settings.ui, { ...uiConfig, cac: cardIssuer });
  await openScreen("/search");
  await expect.element(rail().getByRole("button", { name: "Search" })).toBeVisible();
  await expect.element(rail().getByRole("button", { name: "Profile" })).not.toBeInTheDocument();
  const entries = page.getByRole("navigation", { name: "Profile" });
  await expect.element(entries).not.toBeInTheDocument();
  await rail().getByRole("link", { name: "Ada Lovelace" }).click();
  await expectAddress("/user-profile");
  await expect.element(entries.getByRole("link", { name: "About", exact: true })).toHaveAttribute("aria-current", "page");
  const specified = ["About", "API Keys", "Manage CAC", "Notices", "Update Password"];
  await expectTexts(entries.getByRole("link"), specified);
  await entries.getByRole("link", { name: "API Keys" }).click();
  await expectAddress("/keys");
  await expect.element(entries).toBeVisible();
  await entries.getByRole("link", { name: "About", exact: true }).click();
  await expectAddress("/user-profile");
  await expect.element(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  await entries.getByRole("link", { name: "Update Password" }).click();
  await expectAddress("/change-password");
  await expect.element(entries).toBeVisible();
  await rail().getByRole("link", { name: "Fairway, go to Datasets" }).click();
  await expect.element(panel()).toBeVisible();
  await expect.element(entries).not.toBeInTheDocument();
});

it("[SHELL-30] there is no feedback entry if feedback is disabled", async () => {
  gateway.answer(settings.ui, { ...uiConfig, feedbackEnabled: false });
  await openScreen("/search");
  await expect.element(rail().getByRole("button", { name: "Logout" })).toBeVisible();
  await expectDatasets();
  await expect.element(rail().getByRole("button", { name: "Submit Feedback" })).not.toBeInTheDocument();
});

for (const [requirement, path] of [
  ["[ROUTE-08]", "/datasets"],
  ["[ROUTE-09]", "/reports"],
  ["[ROUTE-10]", "/external-datasets"],
] as const) {
  it(`${requirement} ${path} is another address of the datasets screen`, async () => {
    await openScreen(`${path}?category=Tropical+weather&dataset=storm-tracks`);
    await expectDatasets();
    await expectAddress(`${path}?category=Tropical+weather&dataset=storm-tracks`);
    await expect.element(page.getByRole("heading", { level: 2, name: "storm-tracks" })).toBeVisible();
  });
}

it("[ROUTE-01][ROUTE-07] / leads to /search, which is the datasets screen", async () => {
  await openScreen("/");
  await expectAddress("/search");
  await expectDatasets();
  await expect.element(page.getByRole("region", { name: "Choose a dataset" })).toBeVisible();
});

it("[ROUTE-42] an unknown path falls back to the datasets", async () => {
  await openScreen("/no/such/place?at=all");
  await expectAddress("/search");
  await expectDatasets();
});

it("[ROUTE-11] /search/{searchId} shows that search, below any address of the datasets screen", async () => {
  await openScreen(searchLink(katrina).replace("/search/", "/datasets/"));
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  await expect.element(page.getByRole("grid").getByRole("gridcell").first()).toBeVisible();
});

it("[SESSION-31][ROUTE-49] a screen disabled in the settings file, by name or path, redirects to the datasets", async () => {
  for (const link of ["SearchResults", "search/$searchId"]) {
    gateway.answer(settings.portal, { ...defaultPortalSettings, disabledLinks: [link] });
    await openScreen(searchLink(katrina));
    await expectAddress("/search");
    await expectDatasets();
    await expect.element(picker()).toBeVisible();
  }
});
