import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openOnce } from "#testing/open-once.tsx";
import { focus, press } from "#testing/keyboard.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import { cell } from "#testing/file-previews.tsx";

let recover = () => {};
const dialog = (name: string) => page.getByRole("dialog", { name });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const alert = () => page.getByRole("alert");
const csv = "name,wind\nKatrina,150\nRita,9\nWilma,160\n";

describe("one file", () => {
  const onClose = vi.fn<() => void>();

  describe("opened for a preview", () => {
    openOnce(async () => {
      serveFiles({ "notes.txt": "first\nsecond needle\n" });
      openPreview([previewFile("notes.txt", 2_307)], { onClose });
      await expect.element(dialog("notes.txt")).toBeVisible();
    });

    it("[PREVIEW-01] covers the page under its name", async () => {
      expect(dialog("notes.txt").element().getBoundingClientRect()).toMatchObject({ top: 0, bottom: 900, left: 0, right: 1440 });
      await expect.poll(() => document.activeElement?.closest("[role=dialog]") !== null).toBe(true);
    });

    it("[PREVIEW-02] shows and hides its facts", async () => {
      const info = page.getByRole("complementary", { name: "File info" });
      await expect.element(info).toHaveTextContent("Size2.3 KB (2,307 bytes)Last updated11-12-2026, 9:14:07 amsource NOAA");
      await button("File info").click();
      await expect.element(info).not.toBeInTheDocument();
      await button("File info").click();
      await expect.element(info).toBeVisible();
    });

    it("[PREVIEW-03] is downloaded", async () => {
      await expect.element(page.getByRole("link", { name: "Download" })).toHaveAttribute("href", "/files/notes.txt");
    });

    it("[PREVIEW-07] has no previous and next, by button or key", async () => {
      await expect.element(button("Next file")).not.toBeInTheDocument();
      await expect.element(button("Previous file")).not.toBeInTheDocument();
      await press("ArrowRight");
      await expect.element(dialog("notes.txt")).toBeVisible();
    });

    it("[PREVIEW-04][PREVIEW-08] locks the page until it is closed", async () => {
      await expect.poll(() => getComputedStyle(document.body).overflow).toBe("hidden");
      await button("Close").click();
      await expect.element(dialog("notes.txt")).not.toBeInTheDocument();
      expect(onClose).toHaveBeenCalledOnce();
      await expect.poll(() => getComputedStyle(document.body).overflow).not.toBe("hidden");
    });
  });
});

describe("two files", () => {
  openOnce(async () => {
    serveFiles({ "a.txt": "first\nsecond needle\n", "b.csv": csv });
    openPreview([previewFile("a.txt", 20), previewFile("b.csv", csv.length)], { isTraversable: true });
    await expect.element(page.getByText("1 of 2 in season-2005")).toBeVisible();
  });

  const backToText = async () => {
    await button("Previous file").click();
    await expect.element(dialog("a.txt")).toBeVisible();
  };

  it("[PREVIEW-13] show a text", async () => {
    await expect.element(page.getByText("second needle")).toBeVisible();
  });

  it("[PREVIEW-05] are gone through by buttons", async () => {
    await expect.element(button("Previous file")).toBeDisabled();
    await button("Next file").click();
    await expect.element(dialog("b.csv")).toBeVisible();
    await expect.element(button("Next file")).toBeDisabled();
    await backToText();
  });

  it("[PREVIEW-06] are gone through by arrow keys, but not in a table or a field", async () => {
    await press("ArrowRight");
    await expect.element(dialog("b.csv")).toBeVisible();
    await expect.element(cell("Katrina")).toBeVisible();
    await focus(button("wind"));
    await press("ArrowLeft");
    await expect.element(dialog("b.csv")).toBeVisible();
    await press("ArrowLeft", page.getByRole("textbox", { name: "Find in file" }));
    await expect.element(dialog("b.csv")).toBeVisible();
    await backToText();
  });

  it("[PREVIEW-09] show a table, which is sorted, resized and searched", async () => {
    await button("Next file").click();
    await expect.element(cell("Katrina")).toBeVisible();
    await expect.element(page.getByText("3 rows, 2 columns")).toBeVisible();
    await button("wind").click();
    await expect.element(page.getByRole("row").nth(1)).toHaveTextContent("2Rita9");
    const wind = page.getByRole("columnheader", { name: "wind" });
    const { width } = wind.element().getBoundingClientRect();
    await press("Shift+ArrowRight");
    await expect.poll(() => wind.element().getBoundingClientRect().width).toBe(width + 16);
    const find = page.getByRole("textbox", { name: "Find in file" });
    await find.fill("wilma");
    await expect.element(page.getByRole("search").getByRole("status")).toHaveTextContent("1 of 1");
    await expect.poll(() => document.querySelector("[role=cell] mark")?.textContent).toBe("Wilma");
    await press("Escape", find);
    await expect.element(find).toHaveValue("");
    await expectAccessible();
    await backToText();
  });
});

it("[PREVIEW-16] advises downloading other types, and shows those that can be drawn on request", async () => {
  serveFiles({ "app.log": "started" });
  openPreview([previewFile("data.bin", 10), previewFile("app.log", 7)], { isTraversable: true });
  await expect.element(page.getByText("Unsupported File")).toBeVisible();
  await expect.element(page.getByText(/Download the file/)).toBeVisible();
  await expect.element(button("Preview anyway")).not.toBeInTheDocument();
  await button("Next file").click();
  await expect.element(page.getByText("Unsupported File")).toBeVisible();
  await button("Preview anyway").click();
  await expect.element(page.getByText("started")).toBeVisible();
});

it("previews other files of a folder and type without a question once one of them was wanted", async () => {
  serveFiles({ "a.log": "first", "b.log": "second", "d.log": "fourth" });
  const inFolder = (name: string, folder: string) => ({ ...previewFile(name, 6), filesetId: "logs", path: `${folder}/${name}` });
  openPreview([inFolder("a.log", "2005"), inFolder("b.log", "2005"), inFolder("d.log", "2006")], {
    isTraversable: true,
  });
  await button("Preview anyway").click();
  await expect.element(page.getByText("first")).toBeVisible();
  await button("Next file").click();
  await expect.element(page.getByText("second")).toBeVisible();
  await button("Next file").click();
  await expect.element(dialog("d.log")).toBeVisible();
  await expect.element(button("Preview anyway")).toBeVisible();
});

it("shows the time of a file on one line", async () => {
  serveFiles({ "a.txt": "text" });
  openPreview([previewFile("a.txt", 4)]);
  const time = page.getByText("11-12-2026, 9:14:07 am");
  await expect.element(time).toBeVisible();
  const { height } = time.element().getBoundingClientRect();
  expect(height).toBeLessThan(1.8 * Number.parseFloat(getComputedStyle(time.element()).fontSize));
});

describe("a file that cannot be loaded, and one that cannot be shown", () => {
  openOnce(async () => {
    const served = serveFiles({ "a.txt": "text", "broken.csv": 'name\n"open\nnever closed' });
    recover = () => served.fail("a.txt", false);
    served.fail("a.txt");
    openPreview([previewFile("a.txt", 4), previewFile("broken.csv", 24)], { isTraversable: true });
    await expect.element(alert()).toBeVisible();
  });

  it("[PREVIEW-24] reports the load, with a retry", async () => {
    await expect.element(alert()).toHaveTextContent("Error loading file");
    recover();
    await button("Retry").click();
    await expect.element(page.getByText("text", { exact: true })).toBeVisible();
  });

  it("[PREVIEW-18][PREVIEW-23] reports the preview, with a retry", async () => {
    await button("Next file").click();
    await expect.element(alert()).toHaveTextContent("Error loading preview, try again or download the file.");
    await expect.element(button("Retry")).toBeVisible();
  });
});

it("[PREVIEW-19] [PREVIEW-20] warns of files from the limit of their type on, and not of smaller ones", async () => {
  const limits = [
    [5_000_000, ["csv", "json", "txt"]],
    [50_000_000, ["pdf", "jpg", "png", "ipynb"]],
  ] as const;
  const files = limits.flatMap(([limit, types]) =>
    types.flatMap((type) => [previewFile(`below.${type}`, limit - 1), previewFile(`at.${type}`, limit)]),
  );
  const served = serveFiles(Object.fromEntries(files.map(({ name }) => [name, "[1]"])));
  openPreview(files, { isTraversable: true });
  const warning = page.getByText("Large File", { exact: true });
  for (const { name } of files) {
    await expect.element(dialog(name)).toBeVisible();
    // Whatever the answer contains, a file below the limit is loaded.
    const isLoaded = () => served.requests.some((request) => request.name === name);
    const isWarned = () => warning.elements().length > 0;
    await expect
      .poll(() => ({ isLoaded: isLoaded(), isWarned: isWarned() }))
      .toEqual({ isLoaded: !name.startsWith("at."), isWarned: name.startsWith("at.") });
    await press("ArrowRight");
  }
});

it("[PREVIEW-16] [PREVIEW-21] warns of a large file of another type only when it is to be opened", async () => {
  serveFiles({ "large.log": "started" });
  openPreview([previewFile("large.log", 5_000_000)]);
  await expect.element(page.getByText("Unsupported File")).toBeVisible();
  await button("Preview anyway").click();
  await expect.element(page.getByText("Large File", { exact: true })).toBeVisible();
  await button("Try anyway").click();
  await expect.element(page.getByText("started")).toBeVisible();
});

it("[PREVIEW-22] [PREVIEW-23] reads images and notebooks up to the limit after a try anyway, and again after Retry", async () => {
  const cells = Array.from({ length: 3 }, (_, index) => ({
    cell_type: "code",
    source: `cell(${index})`,
    outputs: [{ output_type: "stream", text: "]}" }],
  }));
  const notebook = JSON.stringify({ cells, metadata: {} });
  const files: Record<string, string> = { "huge.ipynb": notebook.slice(0, notebook.indexOf("cell(2)")), "huge.png": "not an image" };
  const served = serveFiles(files);
  openPreview([previewFile("huge.ipynb", 2_000_000_000), previewFile("huge.png", 2_000_000_000)], { isTraversable: true });
  await button("Try anyway").click();
  await expect.element(page.getByRole("note")).toHaveTextContent("Shows the first 50.0 MB of 2.0 GB.");
  await expect.element(page.getByText("cell(1)")).toBeVisible();
  await expect.element(page.getByText("2 cells")).toBeVisible();
  await button("Next file").click();
  await button("Try anyway").click();
  await expect.element(alert()).toHaveTextContent("Error loading preview, try again or download the file.");
  expect(served.requests.map(({ range }) => range)).toEqual(["bytes=0-49999999", "bytes=0-262143", "bytes=0-49999999"]);
  await button("Retry").click();
  await expect.element(alert()).toBeVisible();
  expect(served.requests).toHaveLength(5);
});

it("[PREVIEW-21] [PREVIEW-22] warns of a large file, and reads only its first rows after a try anyway", async () => {
  const start = new TextEncoder().encode(`name,wind\n${"Katrina,150\n".repeat(420_000)}`);
  const served = serveFiles({ "huge.csv": start });
  openPreview([previewFile("huge.csv", 2_000_000_000)]);
  await expect.element(page.getByText("Large File", { exact: true })).toBeVisible();
  await expect.element(page.getByText(/may crash the browser/)).toBeVisible();
  await button("Try anyway").click();
  await expect.element(page.getByRole("note")).toHaveTextContent("Shows the first 83,332 rows, read from the first 1.0 MB of 2.0 GB.");
  await expect.element(cell("Katrina").first()).toBeVisible();
  expect(served.requests).toEqual([{ name: "huge.csv", range: "bytes=0-999999" }]);
});

it("shows an SVG without running its scripts or loading what it refers to", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="parent.ran = 1"><script>parent.ran = 1</script>
    <image href="${location.origin}/files/outside.png" width="40" height="30"/><foreignObject><iframe src="/files/outside.html"/></foreignObject></svg>`;
  const served = serveFiles({ "drawing.svg": svg, "outside.png": "", "outside.html": "" });
  openPreview([previewFile("drawing.svg", svg.length)]);
  await button("Preview anyway").click();
  await expect.element(page.getByText("40 × 30 pixels")).toBeVisible();
  expect("ran" in globalThis).toBe(false);
  expect(served.requests.map(({ name }) => name)).toEqual(["drawing.svg"]);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  expect(loaded.filter((address) => address.includes("outside"))).toEqual([]);
});

it("[PREVIEW-11] [PREVIEW-12] shows images, and does not decode one of too many pixels", async () => {
  const canvas = new OffscreenCanvas(40, 30);
  canvas.getContext("2d")?.fillRect(0, 0, 40, 30);
  const bytesOf = async (type: string) => new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
  const png = await bytesOf("image/png");
  const bomb = png.slice();
  new DataView(bomb.buffer).setUint32(16, 40_000);
  new DataView(bomb.buffer).setUint32(20, 40_000);
  serveFiles({ "a.png": png, "b.jpg": await bytesOf("image/jpeg"), "bomb.png": bomb });
  openPreview([previewFile("a.png", png.length), previewFile("b.jpg", 5_000), previewFile("bomb.png", bomb.length)], {
    isTraversable: true,
  });
  await expect.element(page.getByText("40 × 30 pixels")).toBeVisible();
  await press("ArrowRight");
  await expect.element(page.getByRole("img", { name: "b.jpg" })).toBeVisible();
  await expect.element(page.getByText("40 × 30 pixels")).toBeVisible();
  await press("ArrowRight");
  await expect.element(alert()).toHaveTextContent("The image has 40,000 × 40,000 pixels, too many to show here.");
});
