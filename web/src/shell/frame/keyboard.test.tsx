import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAddress, expectCount } from "#testing/assertions.ts";
import { focus, press, type } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { expectDatasets } from "#testing/results.ts";
import { openPalette } from "#testing/keyboard-screen.ts";

it("Ctrl+K finds a dataset by a few letters and opens it with Enter", async () => {
  await openScreen("/search");
  await expectDatasets();
  await openPalette();
  await type("quak");
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await expectCount(options, 1);
  await expect.element(options).toHaveTextContent("earthquakes");
  await press("Enter");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expectAddress(/\/search\?category=Natural(\+|%20)hazards&dataset=earthquakes/);
  await expect.element(page.getByRole("heading", { level: 2, name: "earthquakes" })).toBeVisible();
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
