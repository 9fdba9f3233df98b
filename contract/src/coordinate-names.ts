interface NamePattern {
  test(name: string): boolean;
}

const latitude = "lat|latitude|breitengrad";
const longitude = "lon|lng|long|longitude|l\u00e4ngengrad|laengengrad";
const unit = "[\\s_.-]*(?:deg(?:rees?)?|dd|wgs_?84|decimal|[([](?:deg(?:rees?)?|dd|\u00b0|wgs_?84)[)\\]])";

/** A word at the beginning of a name, after a sign (`start_lat`, `GPS Lat`) or after a small letter (`startLat`, `decimalLatitude`). */
function named(words: string): NamePattern {
  const separated = new RegExp(`^(?:.*[^\\p{L}])?(?:${words})(?:${unit})?$`, "iu");
  const capitals = words
    .split("|")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("|");
  const joined = new RegExp(`\\p{Ll}(?:${capitals})(?:${unit})?$`, "u");
  return { test: (name) => separated.test(name) || joined.test(name) };
}

/** Names of columns that hold degrees of latitude. */
export const latitudeName = named(latitude);
/** Names of columns that hold degrees of longitude. */
export const longitudeName = named(longitude);

/** The rest of a name, by which `start_lat` belongs to `start_lng`. */
const restOf = (name: string): string => name.toLowerCase().replaceAll(new RegExp(`(?:${longitude}|${latitude})(?=[^a-z]|$)`, "giu"), "");

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
