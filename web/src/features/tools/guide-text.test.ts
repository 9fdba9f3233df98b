import { expect, it } from "vitest";
import { fillGuide } from "./guide-text.ts";

it("fills the placeholders of a guide, and leaves other braces", () => {
  const guide = "\n# Client\n\n`{{origin}}/api` {{dataset}} {{other}} ${{}}\n# Later\n";
  expect(fillGuide(guide, "https://data.example", { datasetCategory: "Tropical $& weather", datasetId: "storm-tracks" })).toBe(
    "\n`https://data.example/api` Tropical $& weather/storm-tracks {{other}} ${{}}\n# Later\n",
  );
  expect(fillGuide("{{dataset}}", "", undefined)).toBe("CATEGORY/DATASET");
});
