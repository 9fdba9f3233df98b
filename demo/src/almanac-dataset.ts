import type { ExternalDataset } from "@fairway/contract/external-datasets";
import { externalDataset } from "@fairway/contract/external-datasets";
import { coordinates, decimal, seconds, text } from "./column-drafts.ts";

/** The almanac as administrators would configure it. */
export function almanacDataset({ url, key }: { readonly url: string; readonly key: string }): ExternalDataset {
  return externalDataset.parse({
    name: "Sun and moon",
    description: "Computed on request by a separate service.",
    baseRoute: url,
    apiKeyCredential: { headerName: "X-Almanac-Key", key },
    apis: [
      {
        name: "sun-times",
        description:
          "Sunrise, noon and sunset for each day of 2020 to 2030 in a dozen cities, computed on request. Choose a city, such as London, New York or Tokyo.",
        path: "/sun/{city}",
        method: 0,
        filters: [
          {
            name: "city",
            displayName: "City",
            description: "Such as London, New York, Quito, Sydney, Tokyo or Tromsø.",
            type: 1,
            placement: 0,
            required: true,
          },
          { name: "date", displayName: "Date", description: "As 2026-06-21; with >= and <= a range of days.", type: 1, placement: 1 },
          { name: "daylight", displayName: "Daylight", description: "Hours between sunrise and sunset.", type: 0, placement: 1 },
        ],
        operators: { "=": "{name}", ">=": "min_{name}", "<=": "max_{name}" },
        paging: { offset: "skip", max: "take", total: "total" },
        rowsPath: "days",
        columns: [
          text("date", "The day in UTC."),
          text("city", "The city."),
          seconds("sunrise", "When the sun's upper edge comes over the horizon, in UTC. Empty where it does not."),
          seconds("noon", "When the sun stands highest, in UTC."),
          seconds("sunset", "When the sun's upper edge goes below the horizon, in UTC. Empty where it does not."),
          decimal("daylight", "Time between sunrise and sunset.", "h"),
          decimal("elevation", "Height of the sun above the horizon at noon; below zero in a polar night.", "°"),
          decimal("latitude", "Degrees north of the city.", "°"),
          decimal("longitude", "Degrees east of the city; negative is west.", "°"),
          coordinates("position", ["latitude", "longitude"], "The place that the times are computed for."),
        ],
      },
      {
        name: "moon-phases",
        description: "New moons, full moons and quarters of one year, computed on request; to within a few minutes.",
        path: "/moon",
        method: 2,
        filters: [
          { name: "year", displayName: "Year", description: "From 1950 to 2050.", type: 0, placement: 2, required: true },
          { name: "phase", displayName: "Phase", description: "Such as full moon or first quarter.", type: 1, placement: 2 },
        ],
      },
    ],
  });
}
