import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { Refused, Versioned } from "#testing/contract-gateway.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";

const address = "/data-catalog/Tropical%20weather/storm-tracks";
const upload = `${address}?dialog=upload`;
const editor = { roles: ["schema-edit"] };

const column = (name: string, communityDescription: string, userDescription = "") => ({
  id: name,
  name,
  type: 0,
  description: "",
  communityDescription,
  userDescription,
});
let stored: DatasetSchema;
let etag: string;

beforeEach(() => {
  etag = '"c1.u1.x"';
  stored = {
    dataset: { datasetCategory: "Tropical weather", datasetId: "storm-tracks" },
    description: "Tracks of storms.",
    communityDescription: "Count storms.",
    userDescription: "",
    containsLocationData: true,
    supportsMapResults: true,
    columns: [
      column("name", "Names return.\nEvery few years."),
      column("wind", "- In knots."),
      column("season", "Of the year."),
      column("major", ""),
    ],
  };
  gateway.answer(descriptions.schema, () => new Versioned(stored, etag));
  for (const route of [descriptions.saveCommunity, descriptions.saveUser]) {
    gateway.answer(route, ({ body, ifMatch }) => {
      if (ifMatch !== etag) throw new Refused("stale-version", "These descriptions have changed.");
      return { description: body.description, columns: [] };
    });
  }
});

const dialog = () => page.getByRole("dialog", { name: "Upload descriptions of storm-tracks" });
const changed = () => dialog().getByRole("list", { name: "Changed descriptions" }).getByRole("listitem");
const choose = async (content: string | Uint8Array<ArrayBuffer>) =>
  dialog()
    .getByLabelText("File to upload")
    .upload(new File([content], "descriptions.csv", { type: "text/csv" }));

it("downloads descriptions as CSV, and shows what a file would change before anything is saved", async () => {
  const links = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    addresses.push(this.href);
  });
  const addresses: string[] = [];
  await openScreen(address, editor);
  const more = page.getByRole("main").getByRole("button", { name: "More", exact: true });
  await more.click();
  await page.getByRole("menuitem", { name: "Download Descriptions as CSV" }).click();
  await expect.poll(() => addresses).toEqual([expect.stringMatching(/Tropical%20weather\/storm-tracks\/descriptions\.csv\?bom=true$/)]);
  links.mockRestore();
  await more.click();
  await page.getByRole("menuitem", { name: "Upload Descriptions from CSV" }).click();
  // As a European Excel saves it: a byte order mark, semicolons, CRLF also within a cell.
  await choose(
    '\uFEFFColumn;Type;Community\r\n;Dataset;"Count ""storms""."\r\nname;String;"Names return.\r\nEvery few years."\r\nwind;String;\'- In knots.\r\n\r\nmajor;Boolean;"Category 3;\r\nor more"\r\nseason;Integer;\r\naltitude;Integer;Unknown.\r\n',
  );
  await expect.element(dialog().getByRole("status")).toHaveTextContent("1 added · 1 changed · 1 removed · 2 unchanged · 1 unknown column");
  await expect.element(dialog().getByText("altitude (line 10)", { exact: false })).toBeVisible();
  await expectTexts(changed(), [/^Dataset.*Count storms\..*Count "storms"\./, /^season.*Of the year\./, /^major.*Category 3;.*or more/]);
  await expectAccessible();
  expect(gateway.received(descriptions.saveCommunity)).toEqual([]);

  // Someone else saves meanwhile: nothing is written, and the difference is from what they saved.
  stored = { ...stored, communityDescription: "Theirs." };
  etag = '"c2.u1.x"';
  await dialog().getByRole("button", { name: "Save 3 community descriptions" }).click();
  await expect.element(page.getByRole("alert").filter({ hasText: "Someone else saved descriptions in the meantime." })).toBeVisible();
  await expectTexts(changed(), [/^Dataset.*Theirs\..*Count "storms"\./, /^season/, /^major/]);
  await dialog().getByRole("button", { name: "Save 3 community descriptions" }).click();
  await expectCount(dialog(), 0);
  expect(gateway.received(descriptions.saveCommunity).at(-1)?.body).toEqual({
    description: 'Count "storms".',
    columnDescriptions: [
      { columnName: "season", description: "" },
      { columnName: "major", description: "Category 3;\nor more" },
    ],
  });
});

it("refuses files with problems by line, and without schema-edit changes private descriptions only", async () => {
  await openScreen(upload);
  await expectCount(dialog().getByRole("radio"), 0);
  const problems = dialog().getByRole("alert").getByRole("listitem");
  const save = dialog().getByRole("button", { name: /^Save/ });
  const long = "x".repeat(5_001);
  await choose(`column,private\nname,"Two\nlines"\nwind,${long}\nname,Again\n`);
  await expectTexts(problems, ["Line 4: 'wind' has 5,001 characters; 5,000 are allowed.", "Line 5: 'name' also has a row on line 2."]);
  await expect.element(save).toBeDisabled();
  await choose("column,private\nname,One,two\n");
  await expectTexts(problems, ["Line 2: The row has 3 fields, the header has 2."]);
  await choose('column,private\nname,Fine\nwind,"Open\n');
  await expectTexts(problems, [/^Line 3: A quote is not closed/]);
  await choose("name,text\nwind,In knots.\n");
  await expectTexts(problems, ["Line 1: The header needs 'column', and 'community' or 'private'."]);
  await choose("column,community\nwind,In knots.\n");
  await expectTexts(problems, ["The file has no column 'private'."]);
  // Saved by Excel as plain CSV, in Windows-1252.
  await choose(Uint8Array.from("sep=;\r\ncolumn;private\r\nwind;für mich\r\n".split(""), (character) => character.charCodeAt(0)));
  await expectTexts(changed(), [/^wind.*für mich/]);
  await save.click();
  await expectCount(dialog(), 0);
  expect(gateway.received(descriptions.saveUser).map(({ body }) => body)).toEqual([
    { description: "", columnDescriptions: [{ columnName: "wind", description: "für mich" }] },
  ]);
});
