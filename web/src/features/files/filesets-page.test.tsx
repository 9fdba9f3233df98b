import { filesets } from "@fairway/contract/filesets";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { localTime } from "#lib/local-time.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { fakeTransfers, transferOf } from "#testing/fake-transfers.ts";
import { chooseFile } from "#testing/files.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";

const archive = {
  "storm-archive": {
    files: {
      "by-storm/2005-12-Katrina.csv": 240_600,
      "by-storm/2005-25-Wilma.csv": 1_200,
      "maps/atlantic/2005.png": 90_000,
      "README.txt": 2_300,
      "airports.csv": 205_400,
    },
  },
  "public-data": { allowsUploads: true, files: {} },
};
const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });
const names = () => page.getByRole("grid").element().querySelectorAll<HTMLElement>("[role=row] [data-column=name][role=gridcell]");
const expectNames = (expected: string[]) => expect.poll(() => [...names()].map((one) => one.textContent)).toEqual(expected);
const query = () => Object.fromEntries(new URLSearchParams(location.search));
const filter = () => page.getByPlaceholder("filter directory");
const status = () => page.getByRole("region", { name: "Contents" }).getByRole("status");

afterEach(() => void vi.unstubAllGlobals());

it("[ROUTE-12][FILESET-01][FILESET-03][FILESET-04][FILESET-05][FILESET-06][FILESET-08][FILESET-12][FILESET-13][FILESET-14][FILESET-15][FILESET-16][FILESET-17][FILESET-18][FILESET-19][FILESET-32][FILESET-39][SHELL-08][SHELL-09] browses folders, with the place in the address", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets");
  const side = page.getByRole("navigation", { name: "Choose a fileset" });
  await expect.element(side.getByRole("link", { name: "public-data" }).getByRole("img", { name: "Uploads allowed" })).toBeVisible();
  expect(side.getByRole("link", { name: "storm-archive" }).getByRole("img").elements()).toEqual([]);

  await side.getByRole("link", { name: "storm-archive" }).click();
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  expect(query()).toEqual({ fileset: "storm-archive" });
  const headers = page.getByRole("columnheader").elements();
  expect(headers.map((one) => one.querySelector("button")?.textContent)).toEqual([
    undefined,
    "Name",
    "File Size",
    "Last Updated",
    undefined,
  ]);
  await expect.element(page.getByRole("columnheader", { name: "Last Updated", exact: true })).toBeVisible();
  await expect.element(cell("205.4 KB")).toBeVisible();
  await expect.element(cell(localTime(Date.parse("2026-11-12T09:14:02.000Z"))).first()).toBeVisible();
  expect(page.getByRole("link", { name: "Download airports.csv" }).element().getAttribute("href")).toBe(
    "/api/filesets/storm-archive/download?file=airports.csv",
  );
  await expect.element(status()).toHaveTextContent(/^4 items$/);

  await page.getByRole("button", { name: "by-storm/" }).click();
  await expectNames(["2005-12-Katrina.csv", "2005-25-Wilma.csv"]);
  expect(query()).toEqual({ fileset: "storm-archive", path: "by-storm" });
  expect(gateway.received(filesets.listing).at(-1)?.query.listPrefix).toBe("by-storm/");
  await filter().fill("KATR");
  await expectNames(["2005-12-Katrina.csv"]);
  await expect.element(status()).toHaveTextContent("1 item1 filtered out");
  await expect.poll(query).toEqual({ fileset: "storm-archive", path: "by-storm", filter: "KATR" });
  const link = page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Filesets" });
  await expect.poll(() => link.element().getAttribute("href")).toBe("/filesets?fileset=storm-archive&path=by-storm&filter=KATR");

  await page.getByRole("navigation", { name: "Path" }).getByRole("button", { name: "storm-archive" }).click();
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  await expect.element(filter()).toHaveValue("");
  history.back();
  await expectNames(["2005-12-Katrina.csv"]);
  await expect.element(filter()).toHaveValue("KATR");
  history.forward();
  await expectNames(["by-storm/", "maps/", "airports.csv", "README.txt"]);
  await expectAccessible();

  await openScreen("/filesets?fileset=storm-archive&path=maps/atlantic&filter=2005");
  await expectNames(["2005.png"]);
  await expect.element(page.getByRole("navigation", { name: "Path" })).toHaveTextContent("storm-archivemapsatlantic");
});

it("[ROUTE-13][FILESET-09][FILESET-10][FILESET-11] opens as a list at its alias, and remembers the chosen grid", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/files?fileset=storm-archive&path=by-storm");
  await expectNames(["2005-12-Katrina.csv", "2005-25-Wilma.csv"]);
  await page.getByTitle("Grid").click();
  const tile = page.getByRole("gridcell", { name: "2005-12-Katrina.csv, 240.6 KB" });
  await expect.element(tile.getByRole("link", { name: "Download 2005-12-Katrina.csv" })).toBeVisible();
  await reloadScreen();
  await expect.element(tile).toBeVisible();
  await expectAccessible();
});

it("[FILESET-33] shows the first page at once and the rest behind it, filters what has come, and continues after a failure", async () => {
  const files = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${String(index).padStart(5, "0")}.csv`, index]));
  serveFilesets(gateway, { many: { files, pageSize: 1_000 } });
  const release = gateway.hold(filesets.listing, ({ query: { continuationToken } }) => continuationToken === "2000");
  await openScreen("/filesets?fileset=many");
  await expect.element(status()).toHaveTextContent("2,000 itemsLoading more");
  await filter().fill("f0199");
  await expect.element(status()).toHaveTextContent("10 items1,990 filtered outLoading more");
  gateway.refuse(filesets.listing, "upstream-failed", "The store is down.", { times: 2 });
  release();
  await filter().fill("");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading fileset contents.");
  await expect.element(status()).toHaveTextContent(/^2,000 items$/);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(status()).toHaveTextContent(/^5,000 items$/);
  expect(page.getByRole("row").elements().length).toBeLessThan(100);
  expect(page.getByRole("grid").element().getAttribute("aria-rowcount")).toBe("5001");
});

it("[FILESET-29][FILESET-30][FILESET-40][FILESET-41] says what is empty or failed, and retries", async () => {
  serveFilesets(gateway, archive);
  gateway.refuse(filesets.list, "internal", "The database is away.", { times: 1 });
  await openScreen("/filesets?fileset=public-data");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error fetching filesets.");
  gateway.refuse(filesets.listing, "upstream-failed", "The bucket is missing.", { times: 2 });
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading fileset contents.The bucket is missing.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("no items")).toBeVisible();
  gateway.answer(filesets.list, []);
  await openScreen("/filesets");
  await expect.element(page.getByText("No Filesets Available")).toBeVisible();
});

it("[FILESET-42] does not open the fileset of the help", async () => {
  serveFilesets(gateway, { ...archive, help: { files: { "faq.json": 2 } } }, ["help"]);
  await openScreen("/filesets?fileset=help");
  await expect.element(page.getByRole("alert")).toHaveTextContent("The fileset 'help' cannot be opened.");
  expect(gateway.received(filesets.listing)).toEqual([]);
});

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

it("[FILESET-07][FILESET-08][FILESET-20][FILESET-21] previews a file with its tags, steps through the files of the folder, and follows the address", async () => {
  serveFilesets(gateway, { archive: { files: { "data/": 0, "data/one.bin": 10, "data/two.bin": 20, "data/three.bin": 30 } } });
  gateway.answer(filesets.tags, ({ query: { file } }) => ({ tags: { source: `tag of ${file}` } }));
  await openScreen("/filesets?fileset=archive&path=data&file=two.bin");
  const preview = page.getByRole("dialog", { name: "two.bin", exact: true });
  await expect.element(preview).toHaveTextContent("3 of 3 in data");
  await expect.element(preview).toHaveTextContent(localTime(Date.parse("2026-11-12T09:14:02.000Z")));
  await expect.element(preview.getByRole("region", { name: "Tags" })).toHaveTextContent("sourcetag of data/two.bin");
  expect(preview.getByRole("link", { name: "Download", exact: true }).element().getAttribute("href")).toBe(
    "/api/filesets/archive/download?file=data%2Ftwo.bin",
  );
  await press("ArrowLeft");
  const other = page.getByRole("dialog", { name: "three.bin", exact: true });
  await expect.element(other).toHaveTextContent("2 of 3 in data");
  expect(query()).toMatchObject({ file: "three.bin" });
  await press("Escape");
  await expect.element(other).not.toBeInTheDocument();
  expect(query()).toEqual({ fileset: "archive", path: "data" });
  history.back();
  await expect.element(other).toBeVisible();
  await press("Escape");
  await page.getByRole("button", { name: "one.bin", exact: true }).click();
  await expect.element(page.getByRole("dialog", { name: "one.bin", exact: true })).toBeVisible();
  expect(query()).toEqual({ fileset: "archive", path: "data", file: "one.bin" });
});

it("downloads one file as it is, and several items and folders as one zip, or says why not", async () => {
  serveFilesets(gateway, archive);
  const clicked: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    clicked.push(this.getAttribute("href") ?? "");
  });
  gateway.answer(filesets.requestZip, { zipUrl: "/filesets/storm-archive/zip/1" });
  await openScreen("/filesets?fileset=storm-archive");
  const download = () => page.getByRole("group", { name: "Selected items" }).getByRole("button", { name: "Download" }).click();
  await page.getByRole("checkbox", { name: "Select README.txt" }).click();
  await download();
  await expect.poll(() => clicked).toEqual(["/api/filesets/storm-archive/download?file=README.txt"]);
  expect(gateway.received(filesets.requestZip)).toEqual([]);
  await page.getByRole("checkbox", { name: "Select maps" }).click();
  await download();
  await expect.poll(() => clicked[1]).toBe("/api/filesets/storm-archive/zip/1");
  expect(gateway.received(filesets.requestZip).map(({ params, body }) => [params.id, body])).toEqual([
    ["storm-archive", { paths: ["maps/", "README.txt"] }],
  ]);
  gateway.refuse(filesets.requestZip, "too-many-requests", "Too many downloads are under way.");
  await download();
  await expect.element(page.getByText("Download Failed")).toBeVisible();
  await expect.element(page.getByText("Too many downloads are under way.")).toBeVisible();
  expect(clicked).toHaveLength(2);
});

it("[FILESET-36] uploads by button and by drop to the open folder, and lists what was uploaded", async () => {
  const files: Record<string, number> = { "samples/a.csv": 1 };
  serveFilesets(gateway, { "public-data": { allowsUploads: true, files } });
  gateway.answer(filesets.uploadUrl, ({ params, query }) => ({
    uploadUrl: `/api/filesets/${params.id}/upload?file=${query.file}&signature=s`,
  }));
  gateway.refuse(filesets.file, "not-found", "There is no such file.");
  await openScreen("/filesets?fileset=public-data&path=samples");
  await expectNames(["a.csv"]);
  fakeTransfers();
  const dialog = page.getByRole("dialog", { name: "Upload to public-data" });
  const upload = page.getByRole("button", { name: "Upload", exact: true });
  const complete = async (name: string) => {
    files[`samples/${name}`] = 4;
    (await transferOf(name)).answer(201);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  };
  await upload.click();
  await chooseFile(dialog.getByLabelText("Files to upload"), "b.csv", "b", "text/csv");
  await complete("b.csv");
  expect(gateway.received(filesets.uploadUrl).map(({ query }) => query.file)).toEqual(["samples/b.csv"]);
  await expectNames(["a.csv", "b.csv"]);
  await expect.element(upload).toHaveFocus();

  const contents = page.getByRole("region", { name: "Contents" }).element();
  const drag = (type: string) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["c"], "c.csv"));
    contents.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  };
  drag("dragenter");
  await expect.poll(() => getComputedStyle(contents, "::after").content).toContain("Drop files to upload them to samples");
  drag("drop");
  await complete("c.csv");
  await expectNames(["a.csv", "b.csv", "c.csv"]);
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
  const place = { fileset: "public-data", path: "samples" };

  leave();
  await question.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect([query(), sending.aborted]).toEqual([place, false]);
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

it("sorts names as people count, and tells administrators of names that cannot be shown", async () => {
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
