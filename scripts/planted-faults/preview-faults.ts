import type { Fault } from "./fault.ts";

const previews = "web/src/parts/file-preview";

/** Previews of data: tables, Parquet, zip, JSON and GeoJSON. */
export const previewFaults: readonly Fault[] = [
  {
    name: "large whole numbers of a table are sorted as if they were equal",
    file: `${previews}/table-data.ts`,
    from: "isWhole(left.text) && isWhole(right.text) ?",
    to: "isWhole(left.text) && !isWhole(right.text) ?",
    tests: [`${previews}/table-data.test.ts`],
  },
  {
    name: "a page of a Parquet file may claim any number of values",
    file: `${previews}/parquet-rows.ts`,
    from: " || Math.max(...values) > maxPageValues",
    to: "",
    tests: [`${previews}/parquet-limits.test.ts`],
  },
  {
    name: "decimals of Parquet files are rounded by the parser",
    file: `${previews}/parquet-values.ts`,
    from: 'if (isDecimal(element) || converted === "BSON"',
    to: 'if (converted === "BSON"',
    tests: [`${previews}/parquet-view.test.tsx`],
  },
  {
    name: "names in a zip file reorder the text around them",
    file: `${previews}/zip-contents.ts`,
    from: "[\\p{Cc}\\p{Cf}",
    to: "[\\p{Cc}",
    tests: [`${previews}/zip-view.test.tsx`],
  },
  {
    name: "positions far outside the world are drawn",
    file: `${previews}/geojson-features.ts`,
    from: " && Math.abs(lng) <= 360 && Math.abs(lat) <= 90",
    to: "",
    tests: [`${previews}/geojson-features.test.ts`],
  },
  {
    name: "numbers of JSON files are rounded",
    file: "web/src/lib/exact-json.ts",
    from: "context.source !== String(value)",
    to: "context.source === String(value)",
    tests: [`${previews}/json-view.test.tsx`],
  },
];
