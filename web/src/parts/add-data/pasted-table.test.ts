import { expect, it } from "vitest";
import { pastedTable } from "./pasted-table.ts";

it.each([
  ["cells of a spreadsheet", "a\tb\n1\t2\n3\t4\n", "Pasted table.tsv"],
  ["a CSV text", "a,b\r\n1,2\r\n", "Pasted table.csv"],
  ["quoted commas", 'name,x\n"Doe, Jane",1\n"Roe, Max",2\n', "Pasted table.csv"],
])("takes %s as a table", async (_, text, name) => {
  const file = pastedTable(text);
  expect(file?.name).toBe(name);
  expect(await file?.text()).toBe(text);
});

it.each([
  ["one line", "a,b,c"],
  ["prose", "Hello, this is a text.\nIt has lines.\nAnd a comma, somewhere."],
  ["nothing", ""],
])("leaves %s alone", (_, text) => expect(pastedTable(text)).toBeNull());
