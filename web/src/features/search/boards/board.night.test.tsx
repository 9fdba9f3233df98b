import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { focus, press } from "#testing/keyboard.ts";
import { openScreen } from "#testing/open-screen.tsx";
import { openBoard, panel, serveBoard } from "#testing/board-screens.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

beforeEach(serveBoard);

it("offers the rows of a bar that is pressed by the pointer", async () => {
  await openBoard();
  const chart = panel("By day").getByRole("img");
  await expect.element(chart).toHaveAccessibleName(/in \d+ groups/);
  const { width, height } = chart.element().getBoundingClientRect();
  await chart.click({ position: { x: width / 2, y: height / 2 } });
  await expect.element(page.getByRole("group", { name: /^Selected: / }).getByRole("button", { name: "Open rows" })).toBeVisible();
});

it("keeps a changed time range in the address, for links and for the way back from rows", async () => {
  await openBoard();
  expect(location.hash).toBe("");
  await focus(panel("By day").getByRole("img"));
  await press("ArrowRight");
  await press("Enter");
  const pressed = page.getByRole("group", { name: /^Selected: / });
  await pressed.getByRole("button", { name: "Set as time range" }).click();
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await expect.poll(() => location.hash).not.toBe("");
  const narrowed = location.pathname + location.hash;
  await pressed.getByRole("button", { name: "Open rows" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "storm-tracks" })).toBeVisible();
  history.back();
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await openScreen(narrowed);
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 1 groups/);
  await button("Clear time range").click();
  await expect.poll(() => location.hash).not.toBe(narrowed.slice(narrowed.indexOf("#")));
  await expect.element(button("Any time")).toBeVisible();
  await openScreen("/boards/season#not-a-range");
  await expect.element(panel("By day").getByRole("img")).toHaveAccessibleName(/in 4 groups/);
});

it("asks before changes are lost, and Cancel drops them", async () => {
  await openBoard();
  await button("Edit").click();
  await button("Add text").click();
  const dialog = page.getByRole("dialog", { name: "Text Panel", exact: true });
  await dialog.getByRole("textbox", { name: "Text" }).fill("- one\n- two");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect.element(panel("Text").getByRole("listitem").first()).toBeVisible();
  await page.getByRole("link", { name: "Filesets", exact: true }).click();
  await expect.element(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Keep editing" }).click();
  await button("Cancel").click();
  await expect.element(panel("Text")).not.toBeInTheDocument();
});

it("is one column on a phone, without horizontal scrolling or axe violations", async () => {
  await page.viewport(390, 844);
  await openBoard();
  expect(document.documentElement.scrollWidth).toBe(390);
  const lefts = [...document.querySelectorAll("section[data-kind]")].map((section) => section.getBoundingClientRect().left);
  expect(new Set(lefts).size).toBe(1);
  expect(await axeViolations()).toEqual([]);
});
