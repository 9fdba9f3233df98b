import { filesets } from "@fairway/contract/filesets";
import { afterEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { localTime } from "#lib/time/local-time.ts";
import { expectAccessible } from "#testing/accessibility.ts";
import { openOnce } from "#testing/open-once.tsx";
import { fakeTransfers, transferOf } from "#testing/fake-transfers.ts";
import { chooseFile } from "#testing/files.ts";
import { serveFilesets } from "#testing/filesets.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { archive } from "#testing/fileset-pages.ts";

const cell = (name: string) => page.getByRole("gridcell", { name, exact: true });
const names = () => page.getByRole("grid").element().querySelectorAll<HTMLElement>("[role=row] [data-column=name][role=gridcell]");
const expectNames = (expected: string[]) => expect.poll(() => [...names()].map((one) => one.textContent)).toEqual(expected);
const query = () => Object.fromEntries(new URLSearchParams(location.search));
const filter = () => page.getByPlaceholder("filter directory");
const status = () => page.getByRole("region", { name: "Contents" }).getByRole("status");

afterEach(() => void vi.unstubAllGlobals());

const all = ["by-storm/", "maps/", "airports.csv", "README.txt"];

describe("/filesets", () => {
  openOnce(async () => {
    serveFilesets(gateway, archive);
    await openScreen("/filesets");
  });

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
});

describe("a folder", () => {
  openOnce(async () => {
    serveFilesets(gateway, archive);
    await openScreen("/filesets?fileset=storm-archive");
    await page.getByRole("button", { name: "by-storm/" }).click();
    await filter().fill("KATR");
  });

  const view = { fileset: "storm-archive", path: "by-storm", filter: "KATR" };

  it("[FILESET-19][FILESET-32] is listed by its path", async () => {
    await expect.poll(() => gateway.received(filesets.listing).at(-1)?.query.listPrefix).toBe("by-storm/");
    await expectNames(["2005-12-Katrina.csv"]);
  });

  it("[FILESET-15][FILESET-18] is narrowed by a filter, and the number of items that it leaves out is shown", async () => {
    await expectNames(["2005-12-Katrina.csv"]);
    await expect.element(status()).toHaveTextContent("1 item1 filtered out");
    await expect.poll(query).toEqual(view);
  });

  it("[SHELL-08][SHELL-09] with its filter is where Filesets of the menu leads", async () => {
    const link = page.getByRole("navigation", { name: "Search" }).getByRole("link", { name: "Filesets" });
    await expect.poll(() => link.element().getAttribute("href")).toBe("/filesets?fileset=storm-archive&path=by-storm&filter=KATR");
  });

  it("[FILESET-08][FILESET-16] is left for one above by its path, and found again by Back", async () => {
    await expect.poll(query).toEqual(view);
    await page.getByRole("navigation", { name: "Path" }).getByRole("button", { name: "storm-archive" }).click();
    await expectNames(all);
    await expect.element(filter()).toHaveValue("");
    history.back();
    await expectNames(["2005-12-Katrina.csv"]);
    await expect.element(filter()).toHaveValue("KATR");
    history.forward();
    await expectNames(all);
  });
});

it("[FILESET-05][FILESET-06] opens on the folder and the filter of the address", async () => {
  serveFilesets(gateway, archive);
  await openScreen("/filesets?fileset=storm-archive&path=maps/atlantic&filter=2005");
  await expectNames(["2005.png"]);
  await expect.element(filter()).toHaveValue("2005");
  await expect.element(page.getByRole("navigation", { name: "Path" })).toHaveTextContent("storm-archivemapsatlantic");
});

describe("a fileset", () => {
  openOnce(async () => {
    serveFilesets(gateway, archive);
    await openScreen("/files?fileset=storm-archive&path=by-storm");
  });

  it("[ROUTE-13][FILESET-11] opens as a list at the alias", async () => {
    await expectNames(["2005-12-Katrina.csv", "2005-25-Wilma.csv"]);
  });

  it("[FILESET-09][FILESET-10] can be shown as a grid, which is remembered", async () => {
    await page.getByTitle("Grid").click();
    const tile = page.getByRole("gridcell", { name: "2005-12-Katrina.csv, 240.6 KB" });
    await expect.element(tile.getByRole("link", { name: "Download 2005-12-Katrina.csv" })).toBeVisible();
    await reloadScreen();
    await expect.element(tile).toBeVisible();
  });
});

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

describe("the preview of a file", () => {
  openOnce(async () => {
    serveFilesets(gateway, { archive: { files: { "data/": 0, "data/one.bin": 10, "data/two.bin": 20, "data/three.bin": 30 } } });
    gateway.answer(filesets.tags, ({ query: { file } }) => ({ tags: { source: `tag of ${file}` } }));
    await openScreen("/filesets?fileset=archive&path=data&file=two.bin");
  });

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
