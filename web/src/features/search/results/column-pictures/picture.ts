import { type Column, isTimestamp } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { valueText } from "#lib/text/cell-text.ts";

/** Values of a column at a glance. */
export interface Picture {
  /** Rows per step of a number or a time. */
  readonly bars: readonly number[];
  /** Shares of the most frequent values, which add up to at most 1; the rest are other values. */
  readonly shares: readonly number[];
  /** Under the picture: one text, or the ends of the bars. */
  readonly captions: readonly string[];
  /** In full, for a column's menu. */
  readonly text: string;
}

const maxShares = 3;
/** A value of at least this share is named under the picture. */
const dominantShare = 0.4;

/** The picture of a column; undefined if nothing is known about it. */
export function pictureOf(column: Column, distributions: ColumnDistributions, zone: string): Picture | undefined {
  const find = (name: string) => distributions.columns.find((one) => one.name === name);
  const own = column.combined === null ? find(column.name) : undefined;
  if (own) return plainPicture(column, own, distributions, zone);
  const parts = column.combined?.fields.flatMap((field) => find(field) ?? []) ?? [];
  if (parts.length === 0) return undefined;
  return filledPicture(Math.max(...parts.map(({ empty }) => empty)), distributions.rows);
}

function plainPicture(column: Column, own: ProfiledColumn, { rows, countedRows }: ColumnDistributions, zone: string): Picture {
  const { empty, distinct, isApproximate, top, histogram, min, max } = own;
  if (rows === 0 || empty === rows) return filledPicture(empty, rows);
  const format = (value: ProfiledColumn["min"]) => valueText(column, value, zone) ?? "";
  const emptyText = empty === 0 ? [] : [`${percent(empty / rows)} empty`];
  const distinctText = `${isApproximate ? "about " : ""}${pluralize(distinct, "value")}`;
  if (histogram.length > 1) {
    // Times without the time of day, for which there is no room.
    const ends = [format(min), format(max)].map((text) => (isTimestamp(column.type) ? text.slice(0, 10) : text));
    return {
      bars: histogram.map((step) => step.rows),
      shares: [],
      captions: ends,
      text: [`${format(min)} – ${format(max)}`, distinctText, ...emptyText].join(", "),
    };
  }
  const [first] = top;
  if (first === undefined || countedRows === 0) {
    return { bars: [], shares: [], captions: [distinctText], text: [distinctText, ...emptyText].join(", ") };
  }
  const share = first.rows / countedRows;
  const dominant = `${format(first.value)} ${percent(share)}`;
  return {
    bars: [],
    shares: top.slice(0, maxShares).map((one) => one.rows / countedRows),
    captions: [share >= dominantShare ? dominant : distinctText],
    text: [dominant, distinctText, ...emptyText].join(", "),
  };
}

function filledPicture(empty: number, rows: number): Picture {
  const text = empty === 0 ? "all filled" : empty >= rows ? "all empty" : `${percent(1 - empty / rows)} filled`;
  return { bars: [], shares: [], captions: [text], text };
}

/** Whole percent; never 0% or 100% of a part. */
const percent = (share: number): string => {
  const whole = Math.round(share * 100);
  return whole === 0 ? "<1%" : whole === 100 && share < 1 ? ">99%" : `${whole}%`;
};
