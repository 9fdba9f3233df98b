import { filesets } from "@fairway/contract/filesets";
import { afterEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { localTime } from "#lib/local-time.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { describeScreen } from "#testing/describe-screen.tsx";
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

const all = ["by-storm/", "maps/", "airports.csv", "README.txt"];

describeScreen(
  "/filesets",
  async () => {
    serveFilesets(gateway, archive);
    await openScreen("/filesets");
  },
  () => {
    const side = page.getByRole("navigation", { name: "Choose a fileset" });
    const enterArchive = async () => {
      if (query()["fileset"] === undefined) await side.getByRole("link", { name: "storm-archive" }).click();
      await expectNames(all);
    };

    it("[ROUTE-12][FILESET-01] lists the filesets", async () => {
      for (const name of ["storm-archive", "public-data"]) await expect.element(side.getByRole("link", { name })).toBeVisible();
    });

    it("[FILESET-03] marks those that allow uploads", async () => {
      await expect.element(side.getByRole("link", { name: "public-data" }).getByRole("img", { name: "Uploads allowed" })).toBeVisible();
      expect(side.getByRole("link", { name: "storm-archive" }).getByRole("img").elements()).toEqual([]);
    });

    it("[FILESET-04][FILESET-17] shows the contents of the chosen one with their number, and the address names it", async () => {
      await enterArchive();
      expect(query()).toEqual({ fileset: "storm-archive" });
      await expect.element(status()).toHaveTextContent(/^4 items$/);
      await expectAccessible();
    });

    it("[FILESET-12][FILESET-13] has names, sizes and times", async () => {
      await enterArchive();
      const headers = page.getByRole("columnheader").elements();
      const named = [undefined, "Name", "File Size", "Last Updated", undefined];
      expect(headers.map((one) => one.querySelector("button")?.textContent)).toEqual(named);
      await expect.element(page.getByRole("columnheader", { name: "Last Updated", exact: true })).toBeVisible();
      await expect.element(cell("205.4 KB")).toBeVisible();
      await expect.element(cell(localTime(Date.parse("2026-11-12T09:14:02.000Z"))).first()).toBeVisible();
    });

    it("[FILESET-14][FILESET-39] has a link to download each file", async () => {
      await enterArchive();
      expect(page.getByRole("link", { name: "Download airports.csv" }).element().getAttribute("href")).toBe(
        "/api/filesets/storm-archive/download?file=airports.csv",
      );
    });
  },
);

describeScreen(
  "a folder",
  async () => {
    serveFilesets(gateway, archive);
    await openScreen("/filesets?fileset=storm-archive");
    await page.getByRole("button", { name: "by-storm/" }).click();
    await filter().fill("KATR");
  },
  () => {
    const place = { fileset: "storm-archive", path: "by-storm", filter: "KATR" };

    it("[FILESET-19][FILESET-32] is listed by its path", async () => {
      await expect.poll(() => gateway.received(filesets.listing).at(-1)?.query.listPrefix).toBe("by-storm/");
      await expectNames(["2005-12-Katrina.csv"]);
    });

    it("[FILESET-15][FILESET-18] is narrowed by a filter, and the number of items that it leaves out is told", async () => {
      await expectNames(["2005-12-Katrina.csv"]);
      await expect.element(status()).toHaveTextContent("1 item1 filtered out");
      await expect.poll(query).toEqual(place);
    });

    it("[SHELL-08][SHELL-09] with its filter is where Filesets of the menu leads", async () => {
      const link = page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Filesets" });
      await expect.poll(() => link.element().getAttribute("href")).toBe("/filesets?fileset=storm-archive&path=by-storm&filter=KATR");
    });

    it("[FILESET-08][FILESET-16] is left for one above by its path, and found again by Back", async () => {
      await expect.poll(query).toEqual(place);
      await page.getByRole("navigation", { name: "Path" }).getByRole("button", { name: "storm-archive" }).click();
      await expectNames(all);
      await expect.element(filter()).toHaveValue("");
      history.back();
      await expectNames(["2005-12-Katrina.csv"]);
      await expect.element(filter()).toHaveValue("KATR");
      history.forward();
      await expectNames(all);
    });
  },
);

it("[FILESET-05][FILESET-06] opens on the folder and the filter of the address", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets?fileset=storm-archive&path=maps/atlantic&filter=2005");
  await expectNames(["2005.png"]);
  await expect.element(filter()).toHaveValue("2005");
  await expect.element(page.getByRole("navigation", { name: "Path" })).toHaveTextContent("storm-archivemapsatlantic");
});

describeScreen(
  "a fileset",
  async () => {
    serveFilesets(gateway, archive);
    await openScreen("/files?fileset=storm-archive&path=by-storm");
  },
  () => {
    it("[ROUTE-13][FILESET-11] opens as a list at the alias", async () => {
      await expectNames(["2005-12-Katrina.csv", "2005-25-Wilma.csv"]);
    });

    it("[FILESET-09][FILESET-10] can be shown as a grid, which is remembered", async () => {
      await page.getByTitle("Grid").click();
      const tile = page.getByRole("gridcell", { name: "2005-12-Katrina.csv, 240.6 KB" });
      await expect.element(tile.getByRole("link", { name: "Download 2005-12-Katrina.csv" })).toBeVisible();
      await reloadScreen();
      await expect.element(tile).toBeVisible();
      await expectAccessible();
    });
  },
);

it("[FILESET-33] shows the first page at once and the rest behind it, filters what has come, and continues after a failure", async () => {
  const files = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`f${String(index).padStart(5, "0")}.csv`, index]));
  serveFilesets(gateway, { many: { files, pageSize: 1_000 } });
  const release = gateway.hold(filesets.listing, ({ query: { continuationToken } }) => continuationToken === "2000");
  await openScreen("/filesets?fileset=many");
  await expect.element(status()).toHaveTextContent("2,000 itemsLoading more");
  await filter().fill("f0199");
  await expect.element(status()).toHaveTextContent("10 items1,990 filtered outLoading more");
  gateway.refuse(filesets.listing, "internal", "The store is down.", { times: 1 });
  release();
  await filter().fill("");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading fileset contents.");
  await expect.element(status()).toHaveTextContent(/^2,000 items$/);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(status()).toHaveTextContent(/^3,000 items$/);
  expect(page.getByRole("row").elements().length).toBeLessThan(100);
  expect(page.getByRole("grid").element().getAttribute("aria-rowcount")).toBe("3001");
});

it("[FILESET-40] filesets that failed to load can be retried", async () => {
  serveFilesets(gateway, archive);
  gateway.refuse(filesets.list, "internal", "The database is away.", { times: 1 });
  await openScreen("/filesets");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error fetching filesets.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByRole("link", { name: "public-data" })).toBeVisible();
});

it("[FILESET-30][FILESET-41] contents that failed to load can be retried, and may be none", async () => {
  serveFilesets(gateway, archive);
  gateway.refuse(filesets.listing, "internal", "The bucket is missing.", { times: 1 });
  await openScreen("/filesets?fileset=public-data");
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading fileset contents.The bucket is missing.");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect.element(page.getByText("no items")).toBeVisible();
});

it("[FILESET-29] says that there are no filesets", async () => {
  serveFilesets(gateway, {});
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

describeScreen(
  "the preview of a file",
  async () => {
    serveFilesets(gateway, { archive: { files: { "data/": 0, "data/one.bin": 10, "data/two.bin": 20, "data/three.bin": 30 } } });
    gateway.answer(filesets.tags, ({ query: { file } }) => ({ tags: { source: `tag of ${file}` } }));
    await openScreen("/filesets?fileset=archive&path=data&file=two.bin");
  },
  () => {
    const preview = (name: string) => page.getByRole("dialog", { name, exact: true });

    it("[FILESET-07][FILESET-21] is opened by the address, with the time and the tags of the file", async () => {
      await expect.element(preview("two.bin")).toHaveTextContent("3 of 3 in data");
      await expect.element(preview("two.bin")).toHaveTextContent(localTime(Date.parse("2026-11-12T09:14:02.000Z")));
      await expect.element(preview("two.bin").getByRole("region", { name: "Tags" })).toHaveTextContent("sourcetag of data/two.bin");
      expect(preview("two.bin").getByRole("link", { name: "Download", exact: true }).element().getAttribute("href")).toBe(
        "/api/filesets/archive/download?file=data%2Ftwo.bin",
      );
    });

    it("[FILESET-08][FILESET-20] steps through the files of the folder, which the address and Back follow", async () => {
      await expect.element(preview("two.bin")).toBeVisible();
      await press("ArrowLeft");
      await expect.element(preview("three.bin")).toHaveTextContent("2 of 3 in data");
      expect(query()).toMatchObject({ file: "three.bin" });
      await press("Escape");
      await expect.element(preview("three.bin")).not.toBeInTheDocument();
      expect(query()).toEqual({ fileset: "archive", path: "data" });
      history.back();
      await expect.element(preview("three.bin")).toBeVisible();
      await press("Escape");
      await page.getByRole("button", { name: "one.bin", exact: true }).click();
      await expect.element(preview("one.bin")).toBeVisible();
      expect(query()).toEqual({ fileset: "archive", path: "data", file: "one.bin" });
    });
  },
);

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
