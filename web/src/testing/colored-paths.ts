import { lastRows, type View } from "#testing/maps.ts";

export const view: View = [-60, 30, 4];

/** One storm along 30° north, with little wind in the west, much in the east, and none known at its end. */
const positions = [
  [-80, 25],
  [-72, 25],
  [-64, 150],
  [-56, 150],
  [-52, null],
] as const;

export const [storm = {}, otherStorm = {}] = lastRows();

export const rows = positions.map(([longitude, wind], index) =>
  Object.assign({ ...storm }, { time: Number(storm["time"]) - (positions.length - 1 - index) * 21_600, latitude: 30, longitude, wind }),
);
