import { boards } from "@fairway/contract/boards";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { expectRows, sample } from "#testing/datasets-screen.ts";
import { press, type, focus } from "#testing/keyboard.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { boardOf } from "#testing/board-panels.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { act, expectDatasets, fewRows, openResults } from "#testing/results.ts";
import { openPalette } from "#testing/keyboard-screen.ts";
import { serveSavedSearches } from "#testing/saved-searches.ts";

it("the palette opens a fileset", async () => {
  serveFilesets(gateway, { "public-data": { files: { "airports.csv": 1 } } });
  await openScreen("/search");
  await expectDatasets();
  await openPalette();
  await type("public-da");
  await expect.element(page.getByRole("listbox", { name: "Results" }).getByRole("option")).toHaveTextContent("public-data");
  await press("Enter");
  await expect.element(page.getByRole("grid", { name: "Contents of public-data" })).toHaveTextContent("airports.csv");
  expect(location.pathname + location.search).toBe("/filesets?fileset=public-data");
});

it("the palette opens a board", async () => {
  const season = { ...boardOf(), id: "b-1", name: "Season of 2005", owner: "grace", isOwn: false, can: "view" as const };
  gateway.answer(boards.list, [season, { ...season, id: "b-2", name: "Quakes", isOwn: true, can: "own" }]);
  gateway.answer(boards.read, season);
  await openScreen("/search");
  await expectDatasets();
  await openPalette();
  await type("season of");
  const found = page.getByRole("group", { name: "Boards" }).getByRole("option");
  await expect.element(found).toHaveTextContent("Season of 2005shared by grace");
  await press("Enter");
  await expect.element(page.getByRole("heading", { level: 1, name: "Season of 2005" })).toBeVisible();
  expect(location.pathname).toBe("/boards/b-1");
});

it("the palette lists recent searches, themes and Logout; arrow keys move, words match in any order", async () => {
  const opened = await openScreen("/search");
  await sample("airports");
  const results = location.pathname;
  await page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Datasets" }).click();
  await expectDatasets();

  await openPalette();
  await type("sample airp");
  await expectCount(page.getByRole("group", { name: "Recent searches" }).getByRole("option"), 1);
  await press("Enter");
  await expectRows("airports");
  await expectAddress(results);

  await openPalette();
  await type("theme");
  const options = page.getByRole("group", { name: "Actions" }).getByRole("option");
  await expectCount(options, 3);
  await expect.element(options.nth(0)).toHaveAttribute("aria-selected", "true");
  await press("ArrowDown");
  await expect.element(options.nth(1)).toHaveAttribute("aria-selected", "true");
  await expect.element(options.nth(1)).toHaveTextContent("Dark");
  await press("Enter");
  await expect.poll(() => document.documentElement.dataset["mantineColorScheme"]).toBe("dark");

  await openPalette();
  await type("logout");
  await press("Enter");
  await page.getByRole("dialog", { name: "Logout?" }).getByRole("button", { name: "Logout" }).click();
  await expect.poll(() => opened.ended).toBe("signed-out");
});

it("a dialog opened from a menu returns the focus to the menu's button", async () => {
  serveSavedSearches();
  await openResults(fewRows);
  const dialog = page.getByRole("dialog");
  // The second time each dialog is already loaded and opens at once.
  for (const entry of ["Explore Dataset Schema", "Export Current Results", "Export All Results", "Save Search Filters"]) {
    for (let time = 1; time <= 2; time += 1) {
      await act(entry);
      await expect.element(dialog).toBeVisible();
      await press("Escape");
      await expect.element(dialog).not.toBeInTheDocument();
      await expect.element(page.getByRole("button", { name: "Actions", exact: true })).toHaveFocus();
    }
  }
  const menu = page.getByRole("button", { name: "name column menu", exact: true });
  for (let time = 1; time <= 2; time += 1) {
    await page.getByRole("columnheader", { name: /^name/ }).hover();
    await menu.click();
    await page.getByRole("menuitem", { name: "Summary of name" }).click();
    await expect.element(dialog).toBeVisible();
    await press("Escape");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(menu).toHaveFocus();
  }
});

it("the palette reports a query without matches; ? shows the shortcuts of every screen, but is a character in a text field; the page behind a dialog is inert, also for Ctrl+K, and Escape gives it the focus back", async () => {
  await openScreen("/search");
  await expectDatasets();
  const dialog = page.getByRole("dialog");
  const hide = page.getByRole("button", { name: "Hide panel" });
  await focus(hide);
  await openPalette();
  await type("xyzzy");
  await expect.element(page.getByText("No matches. Try a shorter search.")).toBeVisible();
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(hide).toHaveFocus();

  await press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const what of [
    "Search everything",
    "Focus the filter",
    "Show these shortcuts",
    "Close the open dialog or menu",
    "Move the column",
    "Previous or next position",
    "Select the file or folder",
    "Resize the panel",
    "Set as time range",
    "Search, in a search form",
    "Save, in a dialog with a form",
  ]) {
    await expect.element(sheet.getByRole("term").filter({ hasText: what })).toBeVisible();
  }
  const keysOf = (what: string) => sheet.getByRole("term").filter({ hasText: what }).element().nextElementSibling?.textContent;
  expect(keysOf("Select the file or folder")).toBe("Space");
  expect(keysOf("Resize the panel")).toBe("Shift←→↑↓");
  expect(keysOf("Reorder, in the list of columns")).toBe("Alt↑orAlt↓");
  expect(keysOf("Zoom the drawing")).toBe("+or−");
  await press("Escape");
  await expect.element(sheet).not.toBeInTheDocument();

  const reachable = page.css("button:not([inert] *)").and(page.getByRole("button", { name: "Logout", exact: true }));
  await expectCount(reachable, 1);
  await reachable.click();
  await expect.element(dialog.getByRole("button", { name: "Logout" })).toBeVisible();
  await expectCount(reachable, 1);
  await expectCount(dialog.getByRole("button", { name: "Logout" }).and(reachable), 1);
  await press("Control+k");
  await press("Shift+Tab");
  await expectCount(dialog, 1);
  await expectCount(dialog.css(":focus"), 1);
  await press("Escape");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(reachable).toHaveFocus();

  await press("/");
  await type("what?");
  await expect.element(page.css(":focus")).toHaveValue("what?");
  await expect.element(dialog).not.toBeInTheDocument();
});
