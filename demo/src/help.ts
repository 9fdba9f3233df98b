import { everyone } from "@fairway/contract/access";
import { demoFile } from "./data-files.ts";
import { filesetRecipe } from "./fileset-recipe.ts";

/** Parts of the settings file that the demo fills in. */
export interface HelpSettings {
  readonly supplementalHelp: { name: string; display: string }[];
  readonly externalPages: { name: string; displayName: string; faIcon: string; role: string; navBar: "search" | "docs"; url: string }[];
}

export const helpSettings: HelpSettings = {
  supplementalHelp: [],
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
