// @ts-check
// A dataset of twenty million vessel positions over one year. Computed, so that it is the same on every machine.
import { coordinates, decimal, integer, millis, text, truth } from "@fairway/demo/column-drafts";
import { datasetRecipe } from "@fairway/demo/dataset-recipe";

export const positionCount = 20_000_000;
/** Times of the oldest and newest position. */
export const positionsSpan = { startMs: Date.UTC(2025, 0, 1), endMs: Date.UTC(2025, 11, 31) };
export const statuses = ["under way", "at anchor", "moored", "fishing", "restricted", "aground"];

/** @param {string} salt */
const random = (salt) => `(hash(i * 8 + ${salt}) % 1000000)`;

/** So many positions, the newest first. @param {number} count */
export const positionsSelect = (count) => `
    select
      make_timestamp_ms(${positionsSpan.endMs}) - to_microseconds(i * ${Math.floor(((positionsSpan.endMs - positionsSpan.startMs) * 1_000) / count)}) as at,
      cast(hash(i * 8) % 40000 as integer) as vessel,
      case when ${random("1")} < 600000 then 'under way' when ${random("1")} < 750000 then 'at anchor' when ${random("1")} < 880000 then 'moored'
        when ${random("1")} < 950000 then 'fishing' when ${random("1")} < 990000 then 'restricted' else 'aground' end as status,
      'PORT ' || lpad(cast(hash(i * 8 + 2) % 400 as varchar), 3, '0') as port,
      round(${random("3")} / 40000, 1) as speed,
      round(${random("4")} / 1e6 * 150 - 70, 5) as latitude,
      round(${random("5")} / 1e6 * 360 - 180, 5) as longitude,
      ${random("6")} < 30000 as hazardous
    from range(${count}) as numbers(i)`;

export const measurements = { id: "Measurements", description: "Made for measuring.", folder: "measurements" };

export const positions = datasetRecipe(measurements, {
  id: "positions",
  description: "Twenty million made-up positions of vessels in 2025.",
  columns: [
    millis("at", "When."),
    integer("vessel", "Number of the vessel; 40,000 of them."),
    text("status", "What it does; three in five are under way, one in a hundred aground."),
    text("port", "Where it goes; 400 ports."),
    decimal("speed", "Over ground.", "kn"),
    decimal("latitude", "Degrees north.", "°"),
    decimal("longitude", "Degrees east.", "°"),
    coordinates("position", ["latitude", "longitude"], "Where."),
    truth("hazardous", "Whether it carries dangerous goods."),
  ],
  sources: {},
  select: `${positionsSelect(positionCount)}
    order by i`,
  temporalField: "at",
  locationField: "position",
  mapSupport: { groupItemField: "vessel", itemLocationField: "position", itemTemporalField: "at" },
  titleField: "vessel",
  subtitleField: "status",
  filters: { supportsAdvancedFiltering: true },
});
