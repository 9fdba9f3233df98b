interface NamePattern {
  test(name: string): boolean;
}

/** A unit behind a name: `lat_deg`, `Latitude (°)`. */
const unit = /[\s_.-]?(?:deg|degrees?|dd|wgs_?84|decimal|\((?:deg|degrees?|dd|°|wgs_?84)\))$/iu;

/** The words of a name in small letters, without a unit at the end. `startLat` are two words. */
const wordsOf = (name: string): string[] =>
  name
    .trim()
    .replace(unit, "")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

const named = (words: readonly string[]): NamePattern => ({ test: (name) => words.includes(wordsOf(name).at(-1) ?? "") });

/** Names of columns that hold degrees of latitude: the last word counts, as in `start_lat`, `GPS Lat` and `decimalLatitude`. */
export const latitudeName = named(["lat", "latitude", "breitengrad"]);
/** Names of columns that hold degrees of longitude. */
export const longitudeName = named(["lon", "lng", "long", "longitude", "längengrad", "laengengrad"]);

/** The words before the last one, by which `start_lat` belongs to `start_lng`. */
const restOf = (name: string): string => wordsOf(name).slice(0, -1).join(" ");

/** A latitude and the longitude that belongs to it, by their names: the first latitude and its own longitude, else the first one. */
export function coordinatePair(names: readonly string[]): { readonly latitude: string; readonly longitude: string } | null {
  const longitudes = names.filter((name) => longitudeName.test(name));
  const [first] = longitudes;
  if (first === undefined) return null;
  const latitudes = names.filter((name) => latitudeName.test(name));
  for (const name of latitudes) {
    const own = longitudes.find((other) => restOf(other) === restOf(name));
    if (own !== undefined) return { latitude: name, longitude: own };
  }
  const [other] = latitudes;
  return other === undefined ? null : { latitude: other, longitude: first };
}
