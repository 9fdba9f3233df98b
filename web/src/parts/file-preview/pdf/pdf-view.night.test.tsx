import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { press } from "#testing/keyboard.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { pdfFile } from "#testing/pdf.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import jpeg2000 from "#testing/jpeg2000.pdf?url";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const alert = () => page.getByRole("alert");
const pages = () => page.getByRole("region", { name: "Pages" });
const pageNumber = () => page.getByRole("textbox", { name: "Page number" });
const find = () => page.getByRole("textbox", { name: "Find in file" });
const findStatus = () => page.getByRole("search").getByRole("status");
const canvasOf = (number: number) => document.querySelector<HTMLCanvasElement>(`[aria-label="Page ${number}"] canvas`);

it("finds text in all pages of a PDF, also over the end of a line", async () => {
  const bytes = await pdfFile(
    Array.from({ length: 40 }, (_, index) => ({ lines: [index === 29 ? "The needle and the" : "Nothing", "needle again"] })),
  );
  serveFiles({ "season.pdf": bytes });
  openPreview([previewFile("season.pdf", bytes.length)]);
  await expect.element(page.getByText("of 40", { exact: true })).toBeVisible();
  await press("Control+f");
  await expect.element(find()).toHaveFocus();
  await find().fill("the needle");
  await expect.element(findStatus()).toHaveTextContent("1 of 2");
  await expect.element(pageNumber()).toHaveValue("30");
  await expect.poll(() => document.querySelectorAll("mark[data-current]").length).toBe(1);
  await press("Enter", find());
  await expect.element(findStatus()).toHaveTextContent("2 of 2");
  await expect.poll(() => document.querySelectorAll("mark[data-current]").length).toBe(2);
});

it("shows the first page of a large PDF from few ranges, and reads the others when they are shown", async () => {
  // Comments of 40 kB between the pages.
  const filler = `% ${"x".repeat(40_000)}`;
  const bytes = await pdfFile(
    Array.from({ length: 60 }, (_, index) => ({ content: `${filler}\nBT /F1 24 Tf 72 600 Td (Storm ${index + 1}) Tj ET` })),
  );
  const served = serveFiles({ "large.pdf": bytes });
  openPreview([previewFile("large.pdf", bytes.length)]);
  await expect.element(page.getByText("Storm 1", { exact: true })).toBeVisible();
  await expect.poll(() => canvasOf(1)?.width).toBeGreaterThan(600);
  const read = () => new Set(served.requests.map(({ range }) => range)).size * 131_072;
  expect(read()).toBeLessThan(bytes.length / 2);
  await pageNumber().fill("31");
  await press("Enter");
  await expect.element(page.getByText("Storm 31", { exact: true })).toBeVisible();
  served.fail("large.pdf");
  await pageNumber().fill("50");
  await press("Enter");
  await expect.element(alert()).toHaveTextContent("Error loading file");
  served.fail("large.pdf", false);
  await button("Retry").click();
  await expect.element(page.getByText("Storm 1", { exact: true })).toBeVisible();
});

it("reads texts of East Asian fonts, whose characters are described by a file of the library", async () => {
  // The library warns of fonts that the system lacks.
  loggedFailures();
  const font =
    "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 " +
    "/BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> " +
    "/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >> >>] >>";
  const bytes = await pdfFile([{ content: "BT /F1 24 Tf 72 600 Td <98CE66B4> Tj ET" }], { objects: { 3: font } });
  serveFiles({ "storm.pdf": bytes });
  openPreview([previewFile("storm.pdf", bytes.length)]);
  await expect.element(page.getByText("风暴")).toBeVisible();
});

it("asks for the password of a protected PDF until it is right", async () => {
  const bytes = await pdfFile([{ lines: ["Secret storm"] }], { password: "rita" });
  serveFiles({ "secret.pdf": bytes });
  openPreview([previewFile("secret.pdf", bytes.length)]);
  await expect.element(page.getByText("Password required")).toBeVisible();
  const password = page.getByLabelText("Password of the file");
  for (const wrong of ["wilma", "emily"]) {
    await password.fill(wrong);
    await button("Open").click();
    await expect.element(page.getByText("The password is wrong.")).toBeVisible();
  }
  await password.fill("rita");
  await press("Enter", password);
  await expect.element(page.getByText("Secret storm")).toBeVisible();
});

it("shows what it can of hostile PDF files", async () => {
  const whole = await pdfFile([{ lines: ["First storm"] }, { lines: ["Second storm"] }]);
  const text = new TextDecoder("latin1").decode(whole);
  const files = {
    "loop.pdf": await pdfFile([{ lines: ["Never reached"] }], { objects: { 2: "<< /Type /Pages /Count 5 /Kids [2 0 R 2 0 R] >>" } }),
    "truncated.pdf": whole.slice(0, text.indexOf("xref\n")),
    "no.pdf": new TextEncoder().encode("This is not a PDF."),
    "astray.pdf": new TextEncoder().encode(text.replace(/startxref\n\d+/, "startxref\n7")),
    "huge.pdf": await pdfFile(Array.from({ length: 500 }, () => ({ width: 14_400, height: 14_400, lines: ["Wide storm"] }))),
    "tall.pdf": await pdfFile([{ width: 1, height: 14_400, lines: ["Tall storm"] }]),
  };
  serveFiles(files);
  openPreview(
    Object.entries(files).map(([name, { length }]) => previewFile(name, length)),
    { isTraversable: true },
  );
  await expect.element(alert()).toHaveTextContent("Error loading preview, try again or download the file.");
  for (const name of ["truncated.pdf", "no.pdf"]) {
    await button("Next file").click();
    await expect.element(page.getByRole("dialog", { name })).toBeVisible();
    await expect.element(alert()).toHaveTextContent("The file is not a PDF, or it is damaged.");
  }
  await button("Next file").click();
  await expect.element(page.getByText("First storm")).toBeVisible();
  await button("Next file").click();
  await expect.element(page.getByText("Wide storm").first()).toBeInTheDocument();
  expect(document.querySelectorAll("canvas").length).toBeLessThan(10);
  await button("Next file").click();
  await expect.poll(() => canvasOf(1)?.height).toBeGreaterThan(1_000);
  await button("Fit width").click();
  await expect.poll(() => pages().element().scrollHeight).toBeLessThan(17_000);
});

it("draws pictures in JPEG 2000, as scanners write them", async () => {
  const bytes = new Uint8Array(await (await fetch(jpeg2000)).arrayBuffer());
  serveFiles({ "scan.pdf": bytes });
  openPreview([previewFile("scan.pdf", bytes.length)]);
  // A red rectangle with white letters.
  const redPixels = () => {
    const canvas = canvasOf(1);
    const pixels = canvas && canvas.width > 0 ? canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data : undefined;
    let red = 0;
    for (let at = 0; at < (pixels?.length ?? 0); at += 4) {
      if ((pixels?.[at] ?? 0) > 150 && (pixels?.[at + 1] ?? 255) < 100 && (pixels?.[at + 2] ?? 255) < 100) red += 1;
    }
    return red;
  };
  await expect.poll(redPixels, { timeout: 30_000 }).toBeGreaterThan(1_000);
});

it("says which pages lack a picture that is damaged or too large", async () => {
  // The library warns of what it leaves out.
  loggedFailures();
  const bytes = new Uint8Array(await (await fetch(jpeg2000)).arrayBuffer());
  const damaged = bytes.slice();
  const codestream = damaged.findIndex((_, at) => [0xff, 0x4f, 0xff, 0x51].every((byte, offset) => damaged[at + offset] === byte));
  expect(codestream).toBeGreaterThan(0);
  damaged.fill(0, codestream + 4, codestream + 200);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const large = Uint8Array.from(text.replace(/\/Height \d+/, "/Height 90000000"), (character) => character.charCodeAt(0));
  const files = { "scan.pdf": bytes, "damaged.pdf": damaged, "large.pdf": large };
  serveFiles(files);
  openPreview(
    Object.entries(files).map(([name, { length }]) => previewFile(name, length)),
    { isTraversable: true },
  );
  const note = page.getByRole("note");
  await expect.poll(() => canvasOf(1)?.width).toBeGreaterThan(100);
  await expect.element(note).not.toBeInTheDocument();
  await button("Next file").click();
  await expect
    .element(note)
    .toHaveTextContent("A picture on page 1 can't be shown: it is damaged or too large. Download the file to see it.");
  await expect.element(page.getByRole("group", { name: "Page 1" })).toHaveTextContent("A picture on this page can't be shown.");
  await expectAccessible();
  await button("Next file").click();
  await expect.element(note).toHaveTextContent("A picture can't be shown: it is damaged or too large. Download the file to see it.");
});
