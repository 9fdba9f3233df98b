import { formatCount, pluralize } from "@fairway/contract/counts";
import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { CellValue } from "@fairway/contract/search";
import { valueText } from "#lib/text/cell-text.ts";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { dateText } from "#parts/dataset-profile/coverage-buckets.ts";
import classes from "./schema.module.css";

const shownValues = 2;

/** A profile of a column, and whether its times are whole days. */
type Profiled = ProfiledColumn & Pick<Column, "day">;

/** Values of a column: a histogram with its range, or its most frequent values, and counts. */
export default function ColumnProfile({ profile: found, day }: { profile: ProfiledColumn } & Pick<Column, "day">) {
  const profile: Profiled = { ...found, day };
  const { distinct, isApproximate, empty, top, histogram, min, max } = profile;
  return (
    <div className={classes["profile"]}>
      {histogram.length > 1 ? (
        <Histogram profile={profile} />
      ) : top.length > 0 ? (
        <ul className={classes["top"]} aria-label="Most frequent values">
          {top.slice(0, shownValues).map(({ value, rows }) => {
            const text = textOf(profile, value);
            return (
              <li key={String(value)}>
                <span title={text}>{text === "" ? <i>empty text</i> : text}</span> <span>{formatCount(rows)}</span>
              </li>
            );
          })}
        </ul>
      ) : (
        min !== null && (
          <p className={classes["range"]} title={`${textOf(profile, min)} to ${textOf(profile, max)}`}>
            {`${textOf(profile, min)} to ${textOf(profile, max)}`}
          </p>
        )
      )}
      <span
        className={classes["counts"]}
      >{`${isApproximate ? "about " : ""}${formatCount(distinct)} distinct, ${formatCount(empty)} empty`}</span>
    </div>
  );
}

function Histogram({ profile }: { profile: Profiled }) {
  const { histogram, min, max } = profile;
  const maxRows = Math.max(1, ...histogram.map(({ rows }) => rows));
  const highest = histogram.find(({ rows }) => rows === maxRows);
  const [first, last] = [textOf(profile, min), textOf(profile, max)];
  const most =
    highest &&
    `, most often from ${edgeText(profile, highest.from)} to ${edgeText(profile, highest.to)} (${pluralize(highest.rows, "row")})`;
  return (
    <div role="img" aria-label={`Values from ${first} to ${last}${most ?? ""}`}>
      <div className={classes["bars"]}>
        {histogram.map(({ from, rows }) => (
          <span key={from} style={{ height: `${rows === 0 ? 0 : Math.max(4, (rows / maxRows) * 100)}%` }} />
        ))}
      </div>
      <div className={classes["ends"]}>
        <span>{first}</span>
        <span>{last}</span>
      </div>
    </div>
  );
}

const dayMs = 86_400_000;

/** Times of a range of several days are shown as dates. */
function textOf(column: Profiled, value: CellValue): string {
  const { type, min, max } = column;
  if (!isTimestamp(type)) return typeof value === "number" && type === "decimal" ? String(Number(value.toPrecision(6))) : String(value);
  const [ms, first, last] = [value, min, max].map((one) => epochMsOf(type, one) ?? 0) as [number, number, number];
  return last - first > 3 * dayMs ? dateText(ms) : (valueText(column, value) ?? "");
}

/** Edges are computed: without meaningless digits. */
const edgeText = (column: Profiled, value: number): string => textOf(column, value);
