import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectText } from "#testing/assertions.ts";
import { expectRows, openForm, searchButton, serveSearchForms, storms, timeDialog, timeRange } from "#testing/datasets-screen.ts";
import { copied, press, type } from "#testing/keyboard.ts";
import { search } from "@fairway/contract/search";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act } from "#testing/results.ts";
import { day, days, startMs } from "#testing/relative-times.ts";

beforeEach(serveSearchForms);
const lastField = () => timeDialog().getByRole("textbox", { name: "Last", exact: true });
const unitField = () => timeDialog().getByRole("combobox", { name: "Unit", exact: true });
const done = () => timeDialog().getByRole("button", { name: "Done", exact: true });

it("sets a span by keyboard, without axe violations in both themes, and on a phone without horizontal scrolling", async () => {
  await openForm(storms);
  await press("Enter", timeRange());
  await expect.element(timeDialog().getByRole("textbox", { name: "Start" })).toHaveFocus();
  await press("Tab");
  await expect.element(timeDialog().getByRole("textbox", { name: "End" })).toHaveFocus();
  await press("Tab");
  await expect.element(lastField()).toHaveFocus();
  await type("0");
  await press("Tab");
  await expect.element(unitField()).toHaveFocus();
  await expect.element(timeDialog().getByText("Enter a whole number from 1 to 99,999.")).toBeVisible();
  await expectAccessible({ within: ["[role=dialog]"] });
  await press("Shift+Tab");
  await type("12");
  await press("Enter");
  await expect.element(timeDialog()).not.toBeInTheDocument();
  await expectText(timeRange(), "Time range: Last 12 hours");
  await expect.element(timeRange()).toHaveFocus();
  await expectAccessible({ within: ["form"] });

  await page.viewport(390, 844);
  await timeRange().click();
  await lastField().fill("36");
  expect(document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
  await done().click();
  await expectText(timeRange(), "Time range: Last 36 hours");
});

it("copies a link that keeps the relative range, and one with the absolute range of the search", async () => {
  vi.setSystemTime(startMs);
  await openForm(storms);
  await timeRange().click();
  await lastField().fill("3");
  await unitField().selectOptions("days");
  await done().click();
  await searchButton().click();
  await expectRows("storm-tracks");
  const searchPath = location.pathname;
  await act("Copy Link to Search");
  await expect.poll(copied).toContain(searchPath);
  const relativeLink = await copied();
  await act("Copy Link with Absolute Time");
  await expect.poll(copied).not.toBe(relativeLink);
  const absoluteLink = await copied();
  expect(new URL(absoluteLink).pathname).not.toBe(searchPath);

  // Another user opens them a day later.
  vi.setSystemTime(startMs + day);
  for (const [link, range] of [
    [relativeLink, days(3, startMs + day)],
    [absoluteLink, days(3, startMs)],
  ] as const) {
    const requests = gateway.received(search.run).length;
    sessionStorage.clear();
    await openScreen(link.replace(location.origin, ""), { preferred_username: "editor" });
    await expectRows("storm-tracks");
    expect(gateway.received(search.run)[requests]?.body).toMatchObject({ timeRange: range });
    await page.getByRole("button", { name: "Actions", exact: true }).click();
    await expect.element(page.getByRole("menuitem", { name: "Copy Link to Search", exact: true })).toBeVisible();
    await expectCount(page.getByRole("menuitem", { name: "Copy Link with Absolute Time", exact: true }), link === relativeLink ? 1 : 0);
  }
});
