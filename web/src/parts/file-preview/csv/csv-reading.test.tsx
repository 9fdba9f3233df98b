import { filesets } from "@fairway/contract/filesets";
import type { PreviewReading } from "@fairway/contract/readings";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { setTokenSource } from "#lib/gateway/call.ts";
import { expectTexts } from "#testing/assertions.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway } from "#testing/open-screen.tsx";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const reading: PreviewReading = {
  encoding: "utf-8",
  encodingState: "sure",
  sentence: null,
  delimiter: ",",
  quote: '"',
  headerLine: 1,
  skipLines: 0,
};

function open(bytes: Uint8Array<ArrayBuffer>, name = "table.csv"): void {
  setTokenSource({ token: () => Promise.resolve("token"), onUnauthorized: () => Promise.resolve(false) });
  serveFiles({ [name]: bytes });
  openPreview([{ ...previewFile(name, bytes.length), filesetId: "reports", path: `2024/${name}` }]);
}

const header = () => page.getByRole("table").getByRole("columnheader");
const cells = () => page.getByRole("table").getByRole("cell");
const bytesOf = (text: string) => new TextEncoder().encode(text);

it("reads a table in the encoding and with the delimiter that a dataset of it would have, and says so", async () => {
  gateway.answer(filesets.reading, {
    ...reading,
    encoding: "windows-1252",
    encodingState: "assumed",
    sentence: "Read as Windows-1252: 3 lines are not UTF-8.",
    delimiter: ";",
  });
  const latin1 = Array.from("Größe;Straße\n1,5;Königsallee\n2,5;Über\n", (character) => character.charCodeAt(0));
  open(new Uint8Array(latin1));
  await expectTexts(header(), ["Row", "Größe", "Straße"]);
  await expectTexts(cells(), ["1,5", "Königsallee", "2,5", "Über"]);
  await expect.element(page.getByRole("note")).toHaveTextContent("Read as Windows-1252: 3 lines are not UTF-8.");
  expect(gateway.received(filesets.reading).at(0)).toMatchObject({ params: { id: "reports" }, query: { file: "2024/table.csv" } });
});

it("shows no line that only names the delimiter, or that stands above the column names", async () => {
  gateway.answer(filesets.reading, { ...reading, delimiter: ";", skipLines: 1, headerLine: 2 });
  open(bytesOf("sep=;\r\na;b\r\n1;2\r\n"));
  await expectTexts(header(), ["Row", "a", "b"]);
  await expectTexts(cells(), ["1", "2"]);
  await expect.element(page.getByRole("note")).toHaveTextContent("The first line is not part of the table.");
});

it("names columns as a dataset does where the file has no names", async () => {
  gateway.answer(filesets.reading, { ...reading, headerLine: null });
  open(bytesOf("1,2\n3,4\n"));
  await expectTexts(header(), ["Row", "column0", "column1"]);
  await expectTexts(cells(), ["1", "2", "3", "4"]);
});

it("shows the table also where the portal cannot say how it reads it", async () => {
  const logged = loggedFailures();
  gateway.refuse(filesets.reading, "upstream-failed", "The file store cannot be reached.");
  open(bytesOf("a,b\n1,2\n"));
  await expectTexts(header(), ["Row", "a", "b"]);
  await expectTexts(cells(), ["1", "2"]);
  await expect.poll(logged).toEqual(["How a file is read could not be found out:"]);
});

it("leaves out rows with text after a closing quote and names them", async () => {
  gateway.answer(filesets.reading, reading);
  open(bytesOf('a,b\n1,2\n"3"x,4\n5,6\n7,"8" y\n9,"10"\n'));
  await expectTexts(header(), ["Row", "a", "b"]);
  await expectTexts(cells(), ["1", "2", "5", "6", "9", "10"]);
  await expect.element(page.getByRole("note")).toHaveTextContent("Left out because of text after a closing quote: row 3, 5.");
});
