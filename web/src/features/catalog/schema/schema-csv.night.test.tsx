import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it } from "vitest";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, serveSchemaFiles, dialog, changed, choose } from "#testing/schema-files.ts";

const upload = `${address}?dialog=upload`;

beforeEach(serveSchemaFiles);

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
