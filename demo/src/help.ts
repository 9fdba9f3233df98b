import { everyone } from "@fairway/contract/access";
import { videoCategory } from "@fairway/contract/docs";
import type { DocRecipe } from "@fairway/contract/recipes";
import { demoFile } from "./data-files.ts";
import { filesetRecipe } from "./fileset-recipe.ts";

/** Parts of the settings file that the demo fills in. */
export interface HelpSettings {
  readonly supplementalHelp: { name: string; display: string }[];
  readonly externalPages: { name: string; displayName: string; faIcon: string; role: string; navBar: "search" | "docs"; url: string }[];
}

export const helpSettings: HelpSettings = {
  supplementalHelp: [
    { name: "quick-start.pdf", display: "Quick start" },
    { name: "api-keys.pdf", display: "API keys" },
  ],
  externalPages: [
    {
      name: "hurricane-center",
      displayName: "Hurricane Center",
      faIcon: "hurricane",
      role: everyone,
      navBar: "search",
      url: "https://www.nhc.noaa.gov/",
    },
    {
      name: "wind-scale",
      displayName: "Saffir–Simpson scale",
      faIcon: "wind",
      role: everyone,
      navBar: "docs",
      url: "https://en.wikipedia.org/wiki/Saffir%E2%80%93Simpson_scale",
    },
  ],
};

/** Hidden from the file browser: the FAQ and the PDFs in the Docs menu. */
export const help = filesetRecipe({
  id: "help",
  description: "Frequently asked questions and guides.",
  copies: ["faq.json", ...helpSettings.supplementalHelp.map(({ name }) => name)].map((name) => ({
    path: name,
    from: demoFile(`help/${name}`),
    tags: {},
  })),
});

/** Tutorial videos, which `scripts/record-help.mjs` records. */
export const tutorials: readonly DocRecipe[] = [
  tutorial(
    "find-a-storm",
    "Find a storm",
    "Choose a dataset, search it with a filter, follow a storm across the map, and open its file in the archive.",
  ),
  tutorial("keep-and-export", "Keep a search and export it", "Find text in the results, save the filters, and export the rows."),
];

function tutorial(id: string, name: string, description: string): DocRecipe {
  const file = (part: string) => demoFile(`docs/${id}/${part}`);
  return {
    entity: { id, name, category: videoCategory, description },
    files: { object: file("object.mp4"), preview: file("preview.jpg"), "captions.vtt": file("captions.vtt") },
  };
}
