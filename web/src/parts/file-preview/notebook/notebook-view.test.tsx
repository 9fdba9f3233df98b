import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press } from "#testing/keyboard.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const notebook = () => page.getByRole("region", { name: "Notebook" });
const find = () => page.getByRole("textbox", { name: "Find in file" });
const findStatus = () => page.getByRole("search").getByRole("status");
const marked = () => [...(CSS.highlights.get("fairway-find-current") ?? [])].map((range) => (range as Range).toString());

function openNotebooks(notebooks: Readonly<Record<string, object>>): void {
  const files = Object.fromEntries(Object.entries(notebooks).map(([name, content]) => [name, JSON.stringify(content)]));
  serveFiles(files);
  openPreview(
    Object.entries(files).map(([name, { length }]) => previewFile(name, length)),
    { isTraversable: true },
  );
}

it("[PREVIEW-15] [PREVIEW-17] shows a notebook without running anything of it, and refuses one without cells or metadata", async () => {
  const html =
    '<table onclick="x()"><tr><th></th><th>name</th></tr><tr><th>0</th><td>Katrina</td></tr></table><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">';
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="globalThis.ran = 1"><script>globalThis.ran = 1</script></svg>';
  const cells = [
    { cell_type: "markdown", source: ["# Season ", "2005"] },
    {
      cell_type: "code",
      source: "import pandas as pd\nwind = pd.read_csv('2005.csv')  # knots",
      execution_count: 3,
      outputs: [
        { output_type: "display_data", data: { "text/html": [html] } },
        { output_type: "display_data", data: { "image/svg+xml": [svg] } },
        { output_type: "stream", name: "stdout", text: "wide ".repeat(200) },
        { output_type: "error", ename: "KeyError", evalue: "wind", traceback: ["\u001b[31mKeyError\u001b[0m: 'wind'"] },
      ],
    },
  ];
  const metadata = { kernelspec: { display_name: "Python 3" }, language_info: { name: "python" } };
  openNotebooks({ "a.ipynb": { cells, metadata }, "b.ipynb": { cells }, "c.ipynb": { metadata } });
  await expect.element(notebook().getByText("Season 2005")).toBeVisible();
  await expect.element(page.getByText("2 cells, Python 3")).toBeVisible();
  await expect.element(notebook().getByText("[3]")).toBeVisible();
  await expect.element(notebook().getByRole("cell", { name: "Katrina" })).toBeVisible();
  await expect.element(notebook().getByText("KeyError: 'wind'")).toBeVisible();
  await expect.poll(() => notebook().element().querySelector("img")?.naturalWidth).toBe(40);
  const tokens = [...notebook().element().querySelectorAll("[data-token]")].map(
    (token) => `${token.getAttribute("data-token")} ${token.textContent}`,
  );
  expect(tokens).toEqual(["keyword import", "keyword as", "string '2005.csv'", "comment # knots"]);
  expect(notebook().element().querySelectorAll("script, [onclick], [onerror], [onload]")).toHaveLength(0);
  expect("ran" in globalThis).toBe(false);
  // Only cells that are too wide are scrolled by keys, and are tab stops.
  const wide = notebook().getByText(/^wide wide/);
  await expect.element(wide).toHaveAttribute("tabindex", "0");
  await expect.element(notebook().getByText("KeyError: 'wind'")).not.toHaveAttribute("tabindex");
  await expect.poll(() => [...notebook().element().querySelectorAll("th")].map(({ textContent }) => textContent)).toEqual(["name", "0"]);
  await expectAccessible();

  await press("Control+f");
  await expect.element(find()).toHaveFocus();
  await find().fill("pd.read");
  await expect.element(findStatus()).toHaveTextContent("1 of 1");
  await expect.poll(marked).toEqual(["pd.read"]);
  for (const missing of ["metadata", "cells"]) {
    await button("Next file").click();
    await expect
      .element(page.getByRole("alert"))
      .toHaveTextContent(`Error loading preview, try again or download the file.The notebook has no ${missing}.`);
  }
});

it("draws only what is in view of a notebook with 10,000 outputs, and finds text in all of them", async () => {
  const outputs = Array.from({ length: 10_000 }, (_, index) => ({
    output_type: "display_data",
    data: { "text/plain": index === 9_990 ? "the needle" : `line ${index}` },
  }));
  const stream = Array.from({ length: 10_000 }, (_, index) => ({ output_type: "stream", name: "stdout", text: `step ${index}\n` }));
  openNotebooks({
    "many.ipynb": {
      cells: [
        { cell_type: "code", source: "run()", outputs },
        { cell_type: "code", source: "log()", outputs: stream },
      ],
      metadata: {},
    },
  });
  await expect.element(notebook().getByText("line 3", { exact: true })).toBeVisible();
  expect(notebook().element().querySelectorAll("pre").length).toBeLessThan(100);
  await find().fill("needle");
  await expect.poll(marked).toEqual(["needle"]);
  await expect.element(notebook().getByText("the needle")).toBeVisible();
  await find().fill("step 9999");
  await expect.element(findStatus()).toHaveTextContent("1 of 1");
  await expect.poll(marked).toEqual(["step 9999"]);
  await expect
    .poll(() => {
      const [range] = CSS.highlights.get("fairway-find-current") ?? [];
      const { top, bottom } = notebook().element().getBoundingClientRect();
      const at = range instanceof Range ? range.getBoundingClientRect().top : -1;
      return at > top && at < bottom;
    })
    .toBe(true);
});
