import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { coordinates, decimal, integer, millis, text } from "./column-drafts.ts";
import { datasetRecipe } from "./dataset-recipe.ts";
import { tropicalWeather } from "./tropical-weather.ts";

/** Teams are the groups of the demo's accounts, so that each of them sees other rows. */
const access: DatasetAccess = {
  rules: [
    {
      name: "Team",
      note: "You see the reports of your own team.",
      grants: [
        { roles: ["*"], rows: { filters: [{ name: "team", operator: "=", valueFrom: "groups" }] } },
        { roles: ["admin"], rows: "all" },
      ],
    },
  ],
  columns: [
    { names: ["latitude", "longitude"], roles: ["admin"], others: { step: 0.5 } },
    { names: ["phone"], roles: ["admin"], others: "withheld" },
  ],
};

const recipe = datasetRecipe(tropicalWeather, {
  id: "storm-reports",
  description:
    "480 made-up reports of damage on the coast of the Gulf of Mexico, to show access rules: each team sees its own reports, at about " +
    "the place and without the phone number of whoever reported it. Administrators see everything.",
  owner: "Fairway demo",
  updateRhythm: "never",
  tags: ["storms", "access rules"],
  columns: [
    text("report", "The number of the report, such as R-0042."),
    millis("time", "When it was reported, in UTC."),
    text("team", "The team that looks after it: a group of the demo's accounts."),
    text("damage", "Roof, flooding, power line, road or harbor."),
    integer("severity", "From 1 (slight) to 5 (destroyed)."),
    decimal("latitude", "Degrees north of the place.", "°"),
    decimal("longitude", "Degrees east of the place; negative is west.", "°"),
    coordinates("place", ["latitude", "longitude"], "The place of the damage."),
    text("phone", "The number of whoever reported it, from the range for fiction."),
  ],
  sources: {},
  select: `
    select
      'R-' || lpad(i::varchar, 4, '0') as report,
      timestamp '2020-06-01' + i * interval '497 minutes' as time,
      ['Administrators', 'Editors', 'Storm desk flow developers', 'Viewers'][(i * 7 + i // 9) % 4 + 1] as team,
      ['roof', 'flooding', 'power line', 'road', 'harbor'][(i * 11 + i // 7) % 5 + 1] as damage,
      ((i * 13 + i // 5) % 5 + 1)::integer as severity,
      round(27 + (i * 7919 % 1000) / 1000 * 3.5, 4) as latitude,
      round(-97 + (i * 4729 % 1000) / 1000 * 14, 4) as longitude,
      '+1 202 555 01' || lpad((i * 37 % 100)::varchar, 2, '0') as phone
    from range(480) as numbers(i)
    order by time desc, report`,
  temporalField: "time",
  locationField: "place",
  orderBy: [
    { column: "time", direction: "desc" },
    { column: "report", direction: "asc" },
  ],
  mapSupport: { groupItemField: "report", itemLocationField: "place", itemTemporalField: "time" },
  titleField: "damage",
  subtitleField: "team",
  filters: {
    staticFilters: [
      { name: "damage", display: "Damage", description: "Such as flooding or roof." },
      { name: "severity", operator: ">=", display: "Severity at least", description: "1 to 5." },
    ],
    additionalFilters: [{ name: "team", display: "Team", description: "A group of the demo's accounts." }],
  },
});

export const stormReports: DatasetRecipe = { ...recipe, entity: { ...recipe.entity, access } };
