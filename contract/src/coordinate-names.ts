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

/** Words that are also those of a length and a width: only with a unit or one of these before them do they name degrees. */
const geographic = new Set(["geo", "geogr", "geografische", "geographische", "geograficzna", "zeměpisná", "gps", "wgs", "wgs84"]);
const ambiguousLatitudes = ["breite", "szerokość", "szerokosc", "šířka", "sirka", "широта"];
const ambiguousLongitudes = ["länge", "laenge", "długość", "dlugosc", "délka", "delka", "долгота"];

const lastWordOf = (name: string): string => wordsOf(name).at(-1) ?? "";

const named = (words: readonly string[], ambiguous: readonly string[]): NamePattern => ({
  test: (name) => {
    const last = lastWordOf(name);
    return (
      words.includes(last) || (ambiguous.includes(last) && (unit.test(name.trim()) || wordsOf(name).some((word) => geographic.has(word))))
    );
  },
});

/** Names of columns that hold degrees of latitude: the last word counts, as in `start_lat`, `GPS Lat` and `decimalLatitude`. */
export const latitudeName = named(
  [
    "lat",
    "latitude",
    "breitengrad",
    "geobreite",
    "latitud",
    "latitudine",
    "latitudinea",
    "breedtegraad",
    "breddgrad",
    "breddegrad",
    "bredegrad",
    "leveysaste",
  ],
  ambiguousLatitudes,
);
/** Names of columns that hold degrees of longitude. */
export const longitudeName = named(
  [
    "lon",
    "lng",
    "long",
    "longitude",
    "längengrad",
    "laengengrad",
    "geolänge",
    "geolaenge",
    "longitud",
    "longitudine",
    "longitudinea",
    "lengtegraad",
    "längdgrad",
    "lengdegrad",
    "længdegrad",
    "pituusaste",
  ],
  ambiguousLongitudes,
);

/** The words before the last one, by which `start_lat` belongs to `start_lng`. */
const restOf = (name: string): string => wordsOf(name).slice(0, -1).join(" ");

/**
 * A latitude and the longitude that belongs to it, by their names: the first latitude and its own longitude, else the first one.
 * `isDegrees`: whether the values of a column look like degrees, for words such as Breite and Länge, which are also those of sizes.
 */
export function coordinatePair(
  names: readonly string[],
  isDegrees: (name: string) => boolean = () => false,
): { readonly latitude: string; readonly longitude: string } | null {
  const are = (pattern: NamePattern, ambiguous: readonly string[]) =>
    names.filter((name) => pattern.test(name) || (ambiguous.includes(lastWordOf(name)) && isDegrees(name)));
  const longitudes = are(longitudeName, ambiguousLongitudes);
  const [first] = longitudes;
  if (first === undefined) return null;
  const latitudes = are(latitudeName, ambiguousLatitudes);
  for (const name of latitudes) {
    const own = longitudes.find((other) => restOf(other) === restOf(name));
    if (own !== undefined) return { latitude: name, longitude: own };
  }
  const [other] = latitudes;
  return other === undefined ? null : { latitude: other, longitude: first };
}
