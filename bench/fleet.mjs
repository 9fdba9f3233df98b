// @ts-check
// A dataset for the map: a hundred thousand vessels, a hundred of which have tracks of ten thousand positions, the others one
// position each. Computed, so that it is the same in every run.
import { coordinates, decimal, integer, millis } from "@fairway/demo/column-drafts";
import { datasetRecipe } from "@fairway/demo/dataset-recipe";
import { measurements } from "./positions.mjs";

export const fleetVessels = 100_000;
export const fleetTracks = 100;
export const fleetTrackPoints = 10_000;

const tracked = fleetTracks * fleetTrackPoints;
/** @param {string} salt yields a number from 0 to 1 that is the same for all positions of a vessel */
const share = (salt) => `(hash(vessel * 8 + ${salt}) % 1000000 / 1e6)`;

export const fleet = datasetRecipe(measurements, {
  id: "fleet",
  description: "A hundred thousand made-up vessels, a hundred of them with long tracks.",
  columns: [
    millis("at", "When."),
    integer("vessel", "Its number; those below 100 have tracks."),
    decimal("speed", "Over ground.", "kn"),
    decimal("latitude", "Degrees north.", "°"),
    decimal("longitude", "Degrees east.", "°"),
    coordinates("position", ["latitude", "longitude"], "Where."),
  ],
  sources: {},
  select: `
    select
      make_timestamp_ms(${Date.UTC(2025, 5, 8)}) - to_seconds(60 * minute) as at,
      cast(vessel as integer) as vessel,
      round(${share("1")} * 25, 1) as speed,
      round(-50 + 100 * ${share("2")} + 8 * sin(minute / 700.0 + vessel) + 0.3 * sin(minute / 31.0), 5) as latitude,
      round(-140 + 280 * ${share("3")} + 12 * cos(minute / 900.0 + vessel * 2) + 0.3 * cos(minute / 29.0), 5) as longitude
    from (
      select
        case when i < ${tracked} then i % ${fleetTracks} else i - ${tracked} + ${fleetTracks} end as vessel,
        case when i < ${tracked} then i // ${fleetTracks} else cast(hash(i) % ${fleetTrackPoints} as bigint) end as minute
      from range(${tracked + fleetVessels - fleetTracks}) as numbers(i)
    )
    order by minute`,
  temporalField: "at",
  locationField: "position",
  mapSupport: { groupItemField: "vessel", itemLocationField: "position", itemTemporalField: "at" },
  titleField: "vessel",
  subtitleField: null,
  filters: { supportsAdvancedFiltering: true },
});
