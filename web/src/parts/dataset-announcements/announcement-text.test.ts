import { expect, it } from "vitest";
import { announcementLine } from "./announcement-text.ts";

const replacement = { datasetCategory: "Weather", datasetId: "storms" };

it.each([
  [
    { kind: "note", text: "Being **reloaded**,\nuse `storm_id` [later](https://example.org)." },
    "Note: Being reloaded, use storm_id later.",
  ],
  [{ kind: "deprecated", text: " ", replacement: null }, "Deprecated"],
  [{ kind: "deprecated", text: "", replacement }, "Deprecated: Use storms instead."],
  [{ kind: "warning", text: "# Wind > 3 <b>\n> Gone", replacement: null }, "Warning: Wind > 3 <b> Gone"],
] as const)("shows %j on one line without Markdown", (announcement, line) => {
  expect(announcementLine(announcement)).toBe(line);
});
