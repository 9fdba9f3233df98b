import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";
import { type ZipEntryFields, zipFile } from "#testing/zip-file.ts";

const row = (index: number) => page.getByRole("row").nth(index);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const next = () => button("Next file").click();

function open(files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): ReturnType<typeof serveFiles> {
  const served = serveFiles(files);
  openPreview(
    Object.entries(files).map(([name, bytes]) => previewFile(name, bytes.length)),
    { isTraversable: true },
  );
  return served;
}

const large = new Uint8Array(20);
new DataView(large.buffer).setUint16(0, 1, true);
new DataView(large.buffer).setUint16(2, 16, true);
new DataView(large.buffer).setBigUint64(4, 5_000_000_000_000n, true);
new DataView(large.buffer).setBigUint64(12, 42n, true);

it("lists what a zip file holds by its own list, sorted by size and found by name, without unpacking anything", async () => {
  const bytes = zipFile(
    [
      { name: "tracks/" },
      { name: "tracks/bomb.csv", size: 0xffffffff, compressedSize: 0xffffffff, extra: large },
      { name: "tracks/katrina.csv", size: 2_307, compressedSize: 900 },
      { name: new Uint8Array([0x4d, 0x81, 0x6e, 0x63]), size: 9 },
    ],
    { isZip64: true, comment: "packed in 2005" },
  );
  const served = open({ "storms.zip": bytes });
  await button("Preview anyway").click();
  await expect.element(row(1)).toHaveTextContent("1tracks/2005-09-29 09:00:00");
  await expect.element(row(3)).toHaveTextContent("3tracks/katrina.csv2.3 KB900 bytes2005-09-29 09:00:00");
  await expect.element(row(4)).toHaveTextContent("Münc");
  await expect.element(page.getByText("3 files, 1 folder, 5.0 TB unpacked")).toBeVisible();
  await button("Size").click();
  await button("Size").click();
  await expect.element(row(1)).toHaveTextContent("tracks/bomb.csv5.0 TB42 bytes");
  await expect.element(row(4)).toHaveTextContent("1tracks/");
  await page.getByRole("textbox", { name: "Find in file" }).fill("katrina");
  await expect.element(page.getByRole("search").getByRole("status")).toHaveTextContent("1 of 1");
  await expectAccessible();
  expect(served.requests.length).toBeLessThanOrEqual(2);
});

it("shows deceptive names as text, whatever an archive claims of itself, and reports one without its list", async () => {
  const tricks: ZipEntryFields[] = [
    "../../etc/passwd",
    "/absolute",
    "C:\\Windows\\x.dll",
    "gpj.\u202Eexe",
    "<img src=x onerror=alert(1)>",
    "a\u0000b",
  ].map((name) => ({
    name,
    flags: 0x800,
    date: 0,
  }));
  const bytes = zipFile(tricks, { claimedEntries: 65_535 });
  open({ "tricks.zip": bytes, "cut.zip": bytes.slice(0, -30), "elsewhere.zip": zipFile(tricks, { claimedOffset: 3 }) });
  await button("Preview anyway").click();
  for (const [index, name] of [
    "../../etc/passwd",
    "/absolute",
    "C:\\Windows\\x.dll",
    "gpj.\\u{202e}exe",
    "<img src=x onerror=alert(1)>",
    "a\\u{0}b",
  ].entries()) {
    await expect.element(row(index + 1)).toHaveTextContent(name);
  }
  await expect.element(page.getByText("6 files, 0 bytes unpacked")).toBeVisible();
  await next();
  await button("Preview anyway").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("The file is not a zip archive, or it is cut off.");
  await next();
  await button("Preview anyway").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("its list of files is not where it says");
});
