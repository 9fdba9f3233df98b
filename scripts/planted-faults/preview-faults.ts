import type { Fault } from "./fault.ts";

const previews = "web/src/parts/file-preview";

/** Previews of files. */
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
  {
    name: "a file of exactly 50,000,000 bytes is previewed without a warning",
    file: `${previews}/preview-type.ts`,
    from: "otherLimitBytes = 50_000_000",
    to: "otherLimitBytes = 50_000_001",
    tests: [`${previews}/file-preview.test.tsx`],
  },
  {
    name: "a large notebook is cut within a cell",
    file: `${previews}/closed-json.ts`,
    from: "closers.length !== 2",
    to: "closers.length !== 4",
    tests: [`${previews}/file-preview.test.tsx`],
  },
  {
    name: "a PDF draws all its pages at once",
    file: `${previews}/pdf-pages.tsx`,
    from: "last: pageAt(tops, scrollTop + clientHeight * 1.5)",
    to: "last: count - 1",
    tests: [`${previews}/pdf-view.test.tsx`],
  },
  {
    name: "the canvas of a huge page has as many pixels as the page",
    file: `${previews}/pdf-scale.ts`,
    from: "Math.sqrt(maxCanvasPixels / (width * height))",
    to: "1",
    tests: [`${previews}/pdf-scale.test.ts`],
  },
  {
    name: "links of a PDF can reach the page that opened them",
    file: `${previews}/pdf-page.tsx`,
    from: 'rel="noopener noreferrer"',
    to: 'rel="opener"',
    tests: [`${previews}/pdf-view.test.tsx`],
  },
  {
    name: "a wrong password of a PDF is not reported",
    file: `${previews}/pdf-document.ts`,
    from: "isWrong: reason === PasswordResponses.INCORRECT_PASSWORD",
    to: "isWrong: false && reason === PasswordResponses.INCORRECT_PASSWORD",
    tests: [`${previews}/pdf-view.test.tsx`],
  },
];
