import { expect, it } from "vitest";
import { fillGuide } from "./guide-text.ts";

it("fills the placeholders of a guide, and leaves other braces", () => {
  const guide = "\n# Client\n\n`{{origin}}/api` {{dataset}} {{other}} ${{}}\n# Later\n";
  expect(fillGuide(guide, "https://data.example", { datasetCategory: "Tropical $& weather", datasetId: "storm-tracks" })).toBe(
    "\n`https://data.example/api` Tropical $& weather/storm-tracks {{other}} ${{}}\n# Later\n",
  );
  expect(fillGuide("{{dataset}}", "", undefined)).toBe("CATEGORY/DATASET");
});

it("quotes names for the language of the example", () => {
  const dataset = { datasetCategory: 'a"b', datasetId: "it's {{origin}}" };
  expect(fillGuide(`search("{{dataset}}"); fairway search '{{dataset}}'`, "https://x", dataset)).toBe(
    String.raw`search("a\"b/it's {{origin}}"); fairway search 'a"b/it'\''s {{origin}}'`,
  );
});
