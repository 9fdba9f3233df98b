// @ts-check
// Text files of few rows that take a reader of them much longer, or much more memory, than their size tells.

const megabyte = 1_000_000;

/** A map file of one feature with this geometry. @param {string} geometry */
const feature = (geometry) => `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1},"geometry":${geometry}}]}`;

/** @type {Readonly<Record<string, () => string>>} */
export const textBombs = {
  "same-names.csv": () => `${"a,".repeat(130_000)}a\n1\n`,
  "wide.csv": () => `${"a,".repeat(megabyte)}a\n${"1,".repeat(megabyte)}1\n`,
  "short-below-wide.csv": () => `${"a,".repeat(130_000)}\n${"1\n".repeat(999)}`,
  "open-quotes.csv": () => `"${"x,".repeat(127)}\n`.repeat(20_000),
  "open-quote.csv": () => `a,b\n"${"x,y\n".repeat(megabyte)}`,
  "quotes-only.csv": () => '"'.repeat(10 * megabyte),
  "line-ends.csv": () => "\r".repeat(10 * megabyte),
  "delimiters.csv": () => ",".repeat(10 * megabyte),
  "zeros.csv": () => "\0".repeat(10 * megabyte),
  "utf-16.csv": () => `\u00ff\u00fe${"a".repeat(10 * megabyte)}`,
  "long-line.csv": () => "x".repeat(20 * megabyte),
  "digits.csv": () => `a,b\n${"1".repeat(10 * megabyte)},2\n`,
  "separator.csv": () => `sep=a\n${"a".repeat(10 * megabyte)}`,
  // Bytes that only Windows-1252 has, in long lines and in many short ones.
  "quotation-marks.csv": () => `a,b\n${`${"\u0093".repeat(2 * megabyte)},2\n`.repeat(4)}${"\u0093,2\n".repeat(megabyte)}`,
  "long-lines.csv": () => `a,b\n${"\u0093".repeat(20 * megabyte)},1\n1,2\n`,
  // Words whose encoding has to be guessed, all different.
  "words.csv": () =>
    Array.from(
      { length: 30_000 },
      (_, index) => `${String.fromCodePoint(...[0, 6, 12].map((bits) => 0xc0 + ((index >> bits) % 64)))},1\n`,
    ).join(""),
  "double-bytes.csv": () => "\u00c4\u00e3\u00ba\u00c3\u00ca\u00c0\u00bd\u00e7,1\n".repeat(20_000),
  "collections.geojson": () => feature(`${'{"type":"GeometryCollection","geometries":['.repeat(50_000)}${"]}".repeat(50_000)}`),
  "digits.geojson": () => feature(`{"type":"Point","coordinates":[0,${"1".repeat(5 * megabyte)}]}`),
  "positions.geojson": () => feature(`{"type":"MultiPolygon","coordinates":[[[${"[1,2],".repeat(3 * megabyte)}[1,2]]]]}`),
  "brackets.geojson": () => feature(`{"type":"MultiPolygon","coordinates":[${"[],".repeat(10 * megabyte)}[]]}`),
  "one-position.geojson": () => feature(`{"type":"Point","coordinates":[${"1,".repeat(10 * megabyte)}1]}`),
  "exponent.geojson": () => feature('{"type":"Point","coordinates":[1e999999999,-1e999999999]}'),
  "properties.geojson": () =>
    feature(`null,"properties":{${Array.from({ length: 100_000 }, (_, index) => `"p${index}":${index}`).join()}}`),
};
