import { mapResults } from "@fairway/contract/map-results";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { axeViolations } from "#testing/accessibility.ts";
import { focus, press } from "#testing/keyboard.ts";
import { alterItems, details, expectMap, itemButton, itemFilter, itemList, prepareMaps, mapLink, mapOf, openMap } from "#testing/maps.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { skipPauses } from "#testing/pauses.ts";
import { mapAddressDebounceMs } from "./delays.ts";

beforeEach(() => {
  prepareMaps();
  // Before the address has the state of the map.
  skipPauses(mapAddressDebounceMs);
});

it("says that the map is loading while its rows load, and no longer", async () => {
  const release = gateway.hold(mapResults.last);
  await openScreen(mapLink());
  await expect.element(page.getByRole("status").filter({ hasText: "Loading map" })).toBeVisible();
  release();
  await expectMap();
  await expect.element(page.getByText("Loading map")).not.toBeInTheDocument();
});

it("breaks long names instead of cutting them, above what tells namesakes apart", async () => {
  const name = "12 km north-northwest of a village in Alaska";
  alterItems((rows) => rows.map((row) => (["Alex", "Bonnie"].includes(String(row["name"])) ? { ...row, name } : row)));
  await openMap();
  const long = itemList().getByRole("button", { name: `${name} 2004-01`, exact: true });
  const { height } = long.element().getBoundingClientRect();
  expect(height).toBeGreaterThan(50);
  const [text] = [...long.element().querySelectorAll("span > span")];
  expect(text?.scrollHeight).toBe(text?.clientHeight);
  // The next row starts below it.
  const next = itemList().getByRole("button", { name: `${name} 2004-02`, exact: true });
  await expect
    .poll(() => next.element().getBoundingClientRect().top - long.element().getBoundingClientRect().bottom)
    .toBeGreaterThanOrEqual(0);
});

it("reports empty results", async () => {
  await openScreen(mapLink(undefined, { f: [["name", "=", "Nobody"]] }));
  await expect.element(page.getByText("no results", { exact: true }).first()).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Edit filters" })).toBeVisible();
  await page.getByRole("button", { name: "Remove name = Nobody" }).click();
  await expect.element(page.getByText("no results", { exact: true }).first()).not.toBeInTheDocument();
});

it("reports missing WebGL and keeps the list with its details", async () => {
  const logged = loggedFailures();
  const real: unknown = Reflect.get(HTMLCanvasElement.prototype, "getContext");
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
    kind: string,
    ...more: unknown[]
  ) {
    return kind.startsWith("webgl") ? null : (Reflect.apply(real as () => null, this, [kind, ...more]) as null);
  });
  await openScreen(mapLink());
  await expect.element(page.getByText("This browser can't show the map.")).toBeVisible();
  await expect.poll(logged).toContain("The map cannot be shown:");
  await itemButton("Ivan").click();
  await expect.element(details("Ivan")).toBeVisible();
});

it("lists and filters 100,000 items and supports the keyboard", async () => {
  alterItems(([{ time = 0 } = {}]) =>
    Array.from({ length: 100_000 }, (_, index) => ({
      time,
      storm_id: `S${index}`,
      name: `Storm ${index}`,
      longitude: -100 + (index % 1_000) / 20,
      latitude: 10 + Math.floor(index / 1_000) / 4,
    })),
  );
  await openMap();
  await expect.element(page.getByText("100,000 items", { exact: true }).first()).toBeVisible();
  expect(itemList().getByRole("row").elements().length).toBeLessThan(80);
  await expect.element(itemList()).toHaveAttribute("aria-rowcount", "100000");
  await focus(itemButton("Storm 0"));
  await press("End");
  await expect.element(itemButton("Storm 99999")).toHaveFocus();
  await itemFilter().fill("storm 54321");
  await expect.element(page.getByText("1 of 100,000 items", { exact: true })).toBeVisible();
});

it("shows the list in a sheet over the map on a phone, without horizontal scrolling, in which axe finds no violations", async () => {
  await page.viewport(390, 844);
  await openScreen(mapLink());
  await expect.element(mapOf()).toHaveAttribute("data-ready", "true");
  await expect.element(itemList()).not.toBeInTheDocument();
  await page.getByRole("button", { name: "13 items" }).click();
  const sheet = page.getByRole("dialog", { name: "Items" });
  await expect.element(sheet.getByRole("grid", { name: "Items" })).toBeVisible();
  // The rest of the page is inert and analyzed once the sheet is closed.
  expect(await axeViolations({ within: ["[role=dialog]"] })).toEqual([]);
  await itemButton("Ivan").click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(details("Ivan")).toBeVisible();
  expect(await axeViolations()).toEqual([]);
  expect(document.documentElement.scrollWidth - document.documentElement.clientWidth).toBe(0);
});
