import { descriptions } from "@fairway/contract/descriptions";
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { address, kept, serveSchemaFiles, dialog, changed, choose } from "#testing/schema-files.ts";

const editor = { roles: ["schema-edit"] };

beforeEach(serveSchemaFiles);

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
  kept.stored = { ...kept.stored, communityDescription: "Theirs." };
  kept.etag = '"c2.u1.x"';
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
