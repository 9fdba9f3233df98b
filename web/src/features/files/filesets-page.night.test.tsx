import { filesets } from "@fairway/contract/filesets";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { fakeTransfers, transferOf } from "#testing/fake-transfers.ts";
import { chooseFile } from "#testing/files.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { archive } from "#testing/fileset-pages.ts";

const names = () => page.getByRole("grid").element().querySelectorAll<HTMLElement>("[role=row] [data-column=name][role=gridcell]");
const expectNames = (expected: string[]) => expect.poll(() => [...names()].map((one) => one.textContent)).toEqual(expected);
const query = () => Object.fromEntries(new URLSearchParams(location.search));
const filter = () => page.getByPlaceholder("filter directory");

afterEach(() => void vi.unstubAllGlobals());

it("works by the keyboard: moves, jumps by typing, selects, opens and goes up", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets?fileset=storm-archive");
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  await press("/");
  await expect.element(filter()).toHaveFocus();
  await press("ArrowDown");
  const focused = () => document.activeElement?.querySelector("[data-column=name]")?.textContent;
  await expect.poll(focused).toBe("by-storm/");
  await press("r");
  await expect.poll(focused).toBe("README.txt");
  await press("Space");
  await press("Shift+ArrowUp");
  await expect.element(page.getByRole("group", { name: "Selected items" })).toHaveTextContent("2 selected, 207.7 KB");
  await press("Escape");
  await expect.element(page.getByRole("group", { name: "Selected items" })).not.toBeInTheDocument();
  await press("m");
  await expect.poll(focused).toBe("maps/");
  await press("Enter");
  await expectNames(["atlantic/"]);
  await expect.poll(focused).toBe("atlantic/");
  await press("Enter");
  await expect.poll(focused).toBe("2005.png");
  await press("Backspace");
  await press("Backspace");
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  await expect.poll(focused).toBe("maps/");
  await press("End");
  await expect.poll(focused).toBe("README.txt");
  await press("PageUp");
  await expect.poll(focused).toBe("by-storm/");
  await press("Shift+End");
  await expect.element(page.getByRole("group", { name: "Selected items" })).toHaveTextContent("4 selected");
  await press("Escape");
  await press("Home");
  await press("Control+a");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expect.poll(focused).toBe("by-storm/");
  await page.getByRole("button", { name: "File Size" }).click();
  await expectNames(["by-storm/", "maps/", "README.txt", "airports.csv"]);
});

it("keeps the focus in the contents while folders change, also empty ones", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets?fileset=storm-archive&path=maps/atlantic");
  await expectNames(["2005.png"]);
  const focused = () => document.activeElement?.querySelector("[data-column=name]")?.textContent;
  await page.getByRole("navigation", { name: "Path" }).getByRole("button", { name: "storm-archive" }).click();
  await expect.poll(focused).toBe("maps/");
  history.back();
  await expect.poll(focused).toBe("2005.png");

  await openScreen("/filesets?fileset=storm-archive&path=none");
  await expect.element(page.getByText("no items")).toBeVisible();
  await press("/");
  await press("ArrowDown");
  await press("Backspace");
  await expect.poll(focused).toBe("by-storm/");
});

it("selects everything between two checkboxes with Shift, also as tiles", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets?fileset=storm-archive");
  const selected = page.getByRole("group", { name: "Selected items" });
  await page.getByRole("checkbox", { name: "Select maps" }).click();
  await page.getByRole("checkbox", { name: "Select README.txt" }).click({ modifiers: ["Shift"] });
  await expect.element(selected).toHaveTextContent("3 selected");
  await page.getByTitle("Grid").click();
  await expect.element(page.getByRole("checkbox", { name: "Select airports.csv" })).toBeChecked();
  await page.getByRole("gridcell", { name: "maps/" }).getByRole("checkbox").click();
  await page.getByRole("checkbox", { name: "Select by-storm" }).click({ modifiers: ["Shift"] });
  await expect.element(selected).toHaveTextContent("4 selected");
});

it("fits a phone: the filesets first, then one of them", async () => {
  await page.viewport(390, 844);
  serveFilesets(gateway, archive);
  await openScreen("/filesets");
  await page.getByRole("navigation", { name: "Choose a fileset" }).getByRole("link", { name: "storm-archive" }).click();
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  expect(document.documentElement.scrollWidth).toBe(390);
  const header = page.getByRole("columnheader", { name: "Last Updated", exact: true });
  expect(header.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
  await expect.element(page.getByRole("row", { name: /airports/ })).toHaveTextContent(/airports\.csv205\.4 KB\d\d-\d\d-\d{4}, /);
  await header.getByRole("button").click();
  await expect.element(header).toHaveAttribute("aria-sort", "ascending");
  await expectAccessible();
  await page.getByRole("button", { name: "maps/" }).click();
  await page.getByRole("button", { name: "atlantic/" }).click();
  await expectNames(["2005.png"]);
  const right = (element: Element) => element.getBoundingClientRect().right;
  expect(right(page.getByText("atlantic", { exact: true }).element())).toBeLessThanOrEqual(390);
  expect(right(filter().element())).toBeLessThanOrEqual(390);
  await page.getByRole("link", { name: "All filesets" }).click();
  await expect.element(page.getByRole("link", { name: "public-data" })).toBeVisible();
});

it("says that a file of the address does not exist", async () => {
  serveFilesets(gateway, { archive: { files: { "data/one.csv": 10 } } });
  gateway.answer(filesets.tags, { tags: {} });
  gateway.refuse(filesets.file, "not-found", "There is no such file.");
  await openScreen("/filesets?fileset=archive&path=data&file=gone.xyz");
  const preview = page.getByRole("dialog", { name: "gone.xyz", exact: true });
  await expect.element(preview.getByRole("alert")).toHaveTextContent("Error loading fileThere is no such file.");
  await expect.element(preview.getByRole("complementary", { name: "File info" })).toHaveTextContent("SizeUnknown");
  await expect.element(preview.getByText("Unsupported File")).not.toBeInTheDocument();
});

it.each([
  { way: "Back to the folder above", leave: () => history.back(), at: { fileset: "public-data" } },
  { way: "Back to another fileset", leave: () => history.go(-2), at: { fileset: "storm-archive" } },
  {
    way: "a link",
    leave: () => (page.getByRole("link", { name: "All filesets", includeHidden: true }).element() as HTMLElement).click(),
    at: {},
  },
])("asks before $way ends an upload", async ({ leave, at }) => {
  serveFilesets(gateway, { "storm-archive": { files: {} }, "public-data": { allowsUploads: true, files: { "samples/a.csv": 1 } } });
  gateway.answer(filesets.uploadUrl, ({ query: { file } }) => ({ uploadUrl: `/api/filesets/public-data/upload?file=${file}&signature=s` }));
  gateway.refuse(filesets.file, "not-found", "There is no such file.");
  await openScreen("/filesets?fileset=storm-archive");
  await page.getByRole("navigation", { name: "Choose a fileset" }).getByRole("link", { name: "public-data" }).click();
  await page.getByRole("button", { name: "samples/" }).click();
  await expectNames(["a.csv"]);
  fakeTransfers();
  const dialog = page.getByRole("dialog", { name: "Upload to public-data" });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await chooseFile(dialog.getByLabelText("Files to upload"), "b.csv", "b", "text/csv");
  const sending = await transferOf("b.csv");
  const question = page.getByRole("dialog", { name: "Stop the uploads?" });
  const view = { fileset: "public-data", path: "samples" };

  leave();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect([query(), sending.aborted]).toEqual([view, false]);
  await expect.element(dialog.getByText("Into samples")).toBeVisible();

  leave();
  await question.getByRole("button", { name: "Stop Uploads" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(query).toEqual(at);
  expect(sending.aborted).toBe(true);
});

it("asks before closing the tab ends an upload, not once it is complete, and opens no palette over it", async () => {
  serveFilesets(gateway, { "public-data": { allowsUploads: true, files: {} } });
  gateway.answer(filesets.uploadUrl, ({ query: { file } }) => ({ uploadUrl: `/api/filesets/public-data/upload?file=${file}&signature=s` }));
  gateway.refuse(filesets.file, "not-found", "There is no such file.");
  await openScreen("/filesets?fileset=public-data");
  fakeTransfers();
  const dialog = page.getByRole("dialog", { name: "Upload to public-data" });
  const isAsked = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  expect(isAsked()).toBe(false);
  await chooseFile(dialog.getByLabelText("Files to upload"), "b.csv", "b", "text/csv");
  const sending = await transferOf("b.csv");
  expect(isAsked()).toBe(true);
  // The palette, which can leave the page, does not open over a dialog.
  await press("Control+k");
  expect(page.getByRole("combobox", { name: "Search everything" }).elements()).toEqual([]);
  expect(sending.aborted).toBe(false);
  sending.answer(201);
  await expect.element(dialog.getByRole("button", { name: "Done" })).toBeEnabled();
  expect(isAsked()).toBe(false);
});

it("sorts names as people count, and lists for administrators the names that cannot be shown", async () => {
  serveFilesets(gateway, { runs: { files: { "file10.txt": 1, "file2.txt": 1, "File1.txt": 1, "run 9/a": 1, "run 10/a": 1 } } });
  await openScreen("/filesets?fileset=runs");
  await expectNames(["run 9/", "run 10/", "File1.txt", "file2.txt", "file10.txt"]);
  expect(page.getByRole("note").elements()).toEqual([]);
  gateway.answer(filesets.listing, {
    files: [{ filename: "a.txt", size: 1, lastModified: "2026-11-12T09:14:02.000Z" }],
    commonPrefixes: [],
    nextContinuationToken: null,
    leftOut: ["back\\\\slash.txt", "e\\u0301.txt"],
  });
  await openScreen("/filesets?fileset=runs&path=odd");
  await expect.element(page.getByRole("note")).toHaveTextContent("2 names cannot be shown: back\\\\slash.txt, e\\u0301.txt");
});

it("keeps the order over a reload", async () => {
  serveFilesets(gateway, { runs: { files: { "a.txt": 1, "b.txt": 3, "c.txt": 2 } } });
  await openScreen("/filesets?fileset=runs");
  await expectNames(["a.txt", "b.txt", "c.txt"]);
  const size = page.getByRole("columnheader", { name: "File Size" });
  await size.getByRole("button").click();
  await size.getByRole("button").click();
  await expectNames(["b.txt", "c.txt", "a.txt"]);
  await reloadScreen();
  await expectNames(["b.txt", "c.txt", "a.txt"]);
  expect(size.element().getAttribute("aria-sort")).toBe("descending");
});
