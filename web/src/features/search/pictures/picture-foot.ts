import { utcText } from "@fairway/contract/utc-texts";
import { filterTexts, timeTexts } from "#parts/open-searches/search-summary.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** The text below a picture: which rows of which dataset it shows, and of when. */
export type PictureFoot = readonly string[];

/** Colors and font of a picture. */
export interface PictureLook {
  text: string;
  mutedText: string;
  line: string;
  background: string;
  font: string;
}

/** More lines would be most of the picture. */
const maxLines = 8;
const fontPx = 12;
const lineHeightPx = 18;
const padPx = { x: 16, y: 10 } as const;

/** Dataset with time range, conditions, and the moment of the answer; a picture that left the portal would not say otherwise. */
export function pictureFoot(record: SearchRecord, nowMs: number = Date.now()): PictureFoot {
  const { filters, datasetDescription, isSample, ranMs } = record;
  const area = filters.geospatial === null ? [] : [`Area: ${filters.geospatial.text}`];
  const cell = filters.within === undefined ? [] : [filters.within.text];
  const conditions = [...filterTexts(record), ...area, ...cell];
  return [
    [datasetDescription.datasetId, ...(isSample ? ["Sample"] : timeTexts(filters))].join(" · "),
    ...(isSample ? [] : [conditions.length === 0 ? "No filters" : conditions.join(" · ")]),
    `As of ${utcText(ranMs ?? nowMs)} UTC`,
  ];
}

/** A foot in lines that fit, and its height in pixels of the page. */
export interface LaidOutFoot {
  readonly lines: readonly string[];
  readonly heightPx: number;
  readonly fontPx: number;
  /** Left edge of the lines, and the middle of the line with this index from the upper edge of the foot. */
  readonly x: number;
  readonly yOf: (index: number) => number;
}

/** Breaks the foot's lines between words, and within words that are longer than a line. */
export function layOutFoot(foot: PictureFoot, widthPx: number, fontFamily: string): LaidOutFoot {
  const widthOf = textWidths(`${fontPx}px ${fontFamily}`);
  const fits = (text: string) => widthOf(text) <= widthPx - 2 * padPx.x;
  const all = foot.flatMap((line) => brokenLines(line, fits));
  const [last = ""] = foot.slice(-1);
  // The moment stays, whatever the conditions are.
  const lines = all.length <= maxLines ? all : [...all.slice(0, maxLines - 2), `${all[maxLines - 2]?.slice(0, -1) ?? ""}…`, last];
  return {
    lines,
    fontPx,
    heightPx: lines.length * lineHeightPx + 2 * padPx.y,
    x: padPx.x,
    yOf: (index) => padPx.y + (index + 0.5) * lineHeightPx,
  };
}

function brokenLines(line: string, fits: (text: string) => boolean): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<= )/u)) {
    if (fits(current + word.trimEnd())) current += word;
    else {
      if (current !== "") lines.push(current.trimEnd());
      current = "";
      for (const character of word) {
        if (current !== "" && !fits(current + character.trimEnd())) {
          lines.push(current);
          current = "";
        }
        current += character;
      }
    }
  }
  return [...lines, current.trimEnd()];
}

/** Measures texts of a CSS font, in pixels of the page. */
export function textWidths(font: string): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) throw new Error("The canvas has no 2D context.");
  context.font = font;
  return (text) => context.measureText(text).width;
}
