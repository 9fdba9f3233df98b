import type { AlertRecipe } from "@fairway/contract/recipes";

/** One that fires at its first check, and one that waits for rows. */
export const demoAlerts: readonly AlertRecipe[] = [
  {
    id: "demo-strong-earthquakes",
    owner: "admin",
    savedSearch: {
      datasetCategory: "Natural hazards",
      datasetId: "earthquakes",
      queryName: "Strong earthquakes",
      description: "Of magnitude 6 and above.",
      query: JSON.stringify({ filters: [{ name: "mag", operator: ">=", value: 6 }] }),
    },
    alert: { name: "Strong earthquakes", condition: { kind: "above", rows: 3 }, everyMinutes: 60, tellWhenOver: true },
  },
  {
    id: "demo-new-storms",
    owner: "admin",
    savedSearch: {
      datasetCategory: "Tropical weather",
      datasetId: "storm-tracks",
      queryName: "Storms since 2015",
      description: "",
      query: JSON.stringify({ timeRange: { start: "2015-01-01T00:00:00Z" }, filters: [] }),
    },
    alert: { name: "New storm positions", condition: { kind: "new-rows" }, everyMinutes: 60 },
  },
];
