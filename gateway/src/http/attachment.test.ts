import { expect, it } from "vitest";
import { attachment } from "./attachment.ts";

it.each([
  ["Tests_rows.csv", `attachment; filename="Tests_rows.csv"; filename*=UTF-8''Tests_rows.csv`],
  ["Überfahrt 50%.csv", `attachment; filename="_berfahrt 50_.csv"; filename*=UTF-8''%C3%9Cberfahrt%2050%25.csv`],
  ['it\'s (a) "name"*.csv', `attachment; filename="it's (a) _name_*.csv"; filename*=UTF-8''it%27s%20%28a%29%20%22name%22%2A.csv`],
  ["two\r\nlines", `attachment; filename="two__lines"; filename*=UTF-8''two%0D%0Alines`],
])("encodes the file name %j in a single header", (name, header) => {
  expect(attachment(name)).toBe(header);
});
