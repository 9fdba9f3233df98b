import { coordinates, decimal, integer, millis, text, truth } from "./column-drafts.ts";
import { vegaFile } from "./data-files.ts";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { type DemoCategory, datasetRecipe } from "./dataset-recipe.ts";

export const naturalHazards: DemoCategory = {
  id: "Natural hazards",
  description: "Earthquakes that seismometers all over the world recorded in one week.",
  folder: "natural-hazards",
};

const earthquakes = datasetRecipe(naturalHazards, {
  id: "earthquakes",
  description:
    "Earthquakes of every size that the US Geological Survey reported from 31 January to 7 February 2018. The feed also contains 28 " +
    "explosions and quarry blasts, which a locked filter on the type leaves out.",
  owner: "US Geological Survey",
  origin: {
    text: "Feed of all earthquakes of one week",
    link: "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_week.geojson",
  },
  license: {
    text: "public domain (work of the US government)",
    link: "https://www.usgs.gov/information-policies-and-instructions/copyrights-and-credits",
  },
  updateRhythm: "never",
  tags: ["earthquakes", "hazards"],
  columns: [
    text("id", "The survey's id of the event."),
    millis("time", "When it happened, in UTC."),
    text("place", "The nearest known place, with distance and direction."),
    text("region", "The state, country or sea of that place."),
    decimal("mag", "Magnitude. Each whole step is about 32 times the energy; the smallest quakes are below zero."),
    text("magType", "How the magnitude was determined, such as ml (local) or mww (moment of the W phase)."),
    text("type", "earthquake, explosion or quarry blast; the locked filter leaves earthquakes only."),
    decimal("depth", "How far below the surface it began; negative is above sea level.", "km"),
    decimal("latitude", "Degrees north of the epicenter.", "°"),
    decimal("longitude", "Degrees east of the epicenter; negative is west.", "°"),
    coordinates("epicentre", ["latitude", "longitude"], "The point of the surface above the place where it began."),
    integer("sig", "How significant the event is, from 0 to 1,000: from magnitude, felt reports and estimated impact."),
    integer("felt", "Reports by people who felt it. Empty where nobody reported."),
    decimal("cdi", "Highest intensity that people reported, from 1 to 10. Empty where nobody reported."),
    decimal("mmi", "Highest intensity that instruments estimate, from 0 to 10. Empty for most."),
    text("alert", "Expected impact: green, yellow, orange or red. Empty for most."),
    truth("tsunami", "Whether it lay near an ocean and was large enough that tsunami information was given."),
    text("status", "automatic, or reviewed by a person."),
    text("net", "The network that located the event, such as ak for Alaska or ci for Southern California."),
    integer("nst", "Number of stations used for the location."),
    decimal("dmin", "Distance from the epicenter to the nearest station.", "°"),
    decimal("gap", "Largest angle around the epicenter without a station; the smaller, the more certain the location.", "°"),
    decimal("rms", "How well travel times fit the location; the smaller, the better.", "s"),
    millis("updated", "When the survey last changed the event, in UTC."),
    text("url", "The survey's page on the event."),
  ],
  sources: { feed: vegaFile("earthquakes.json") },
  select: `
    with events as (
      select event ->> '$.id' as id, event -> '$.properties' as properties, event -> '$.geometry.coordinates' as point
      from (select unnest(json_extract(json, '$.features[*]')) as event from read_json_objects({feed}, format = 'unstructured'))
    ),
    placed as (select *, properties ->> '$.place' as place, regexp_replace(properties ->> '$.place', '^.*, ', '') as region from events)
    select
      id,
      epoch_ms(cast(properties ->> '$.time' as bigint)) as time,
      place,
      case region when 'CA' then 'California' when 'NV' then 'Nevada' when 'MX' then 'Mexico' else region end as region,
      cast(properties ->> '$.mag' as double) as mag,
      properties ->> '$.magType' as "magType",
      properties ->> '$.type' as type,
      cast(point ->> '$[2]' as double) as depth,
      cast(point ->> '$[1]' as double) as latitude,
      cast(point ->> '$[0]' as double) as longitude,
      cast(properties ->> '$.sig' as integer) as sig,
      cast(properties ->> '$.felt' as integer) as felt,
      cast(properties ->> '$.cdi' as double) as cdi,
      cast(properties ->> '$.mmi' as double) as mmi,
      properties ->> '$.alert' as alert,
      (properties ->> '$.tsunami') = '1' as tsunami,
      properties ->> '$.status' as status,
      properties ->> '$.net' as net,
      cast(properties ->> '$.nst' as integer) as nst,
      cast(properties ->> '$.dmin' as double) as dmin,
      cast(properties ->> '$.gap' as double) as gap,
      cast(properties ->> '$.rms' as double) as rms,
      epoch_ms(cast(properties ->> '$.updated' as bigint)) as updated,
      properties ->> '$.url' as url
    from placed
    order by time desc, id`,
  temporalField: "time",
  locationField: "epicentre",
  orderBy: [
    { column: "time", direction: "desc" },
    { column: "id", direction: "asc" },
  ],
  mapSupport: { groupItemField: "id", itemLocationField: "epicentre", itemTemporalField: "time" },
  mapView: { show: "items", colorBy: "mag", sizeBy: "mag" },
  titleField: "place",
  subtitleField: "mag",
  filters: {
    supportsAdvancedFiltering: true,
    requiredOrFields: ["id", "place", "region", "mag"],
    staticFilters: [
      { name: "mag", operator: ">=", display: "Magnitude at least", description: "People begin to feel quakes at about 2.5." },
      { name: "region", display: "Region", description: "A state, country or sea, such as Alaska." },
      { name: "place", display: "Place", description: "Exactly as in the data, with distance and direction." },
      { name: "id", display: "Event id", description: "The survey's id of one event." },
    ],
    preFilledFilters: [
      {
        name: "type",
        value: "earthquake",
        display: "Type",
        description: "Only earthquakes: the explosions and quarry blasts of the feed are not natural hazards.",
      },
    ],
  },
});

export const naturalHazardsDatasets: readonly DatasetRecipe[] = [earthquakes];
