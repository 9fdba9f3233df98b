import { expect, it } from "vitest";
import { aboutLines } from "./about-sheet.ts";

it.each([
  ["https://portal.test", expect.stringMatching(/^https:\/\/portal\.test\//)],
  [undefined, "Left out, because the portal's public address is not set"],
])("with the public address %s, the sheet says where the rows can be found, or that nobody knows", (publicUrl, address) => {
  const record = { dataset: { datasetCategory: "Sea", datasetId: "ships" }, request: { format: "xlsx" as const, search: { filters: [] } } };
  const lines = aboutLines(
    { record, columns: [], preFilledFilters: [], isPart: false, username: "ada", publicUrl },
    { rows: 1, cut: false, totalRows: 1 },
  );
  expect(lines.find(([label]) => label === "Address")?.[1]).toEqual(address);
});

it("names the map cell whose rows it has, also in the address", () => {
  const search = { filters: [], within: [-10, 5, -5, 8] };
  const record = { dataset: { datasetCategory: "Sea", datasetId: "ships" }, request: { format: "xlsx" as const, search } };
  const lines = aboutLines(
    { record, columns: [], preFilledFilters: [], isPart: false, username: "ada", publicUrl: "https://portal.test" },
    { rows: 1, cut: false, totalRows: 1 },
  );
  expect(lines).toContainEqual(["West, south, east and north of the map cell", "-10, 5, -5, 8"]);
  const fragment = String(lines.find(([label]) => label === "Address")?.[1]).split("#1.")[1] ?? "";
  expect(JSON.parse(Buffer.from(fragment, "base64url").toString())).toMatchObject({ w: [-10, 5, -5, 8] });
});
