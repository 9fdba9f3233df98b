import { isTimestamp } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import type { ResultRow } from "@fairway/contract/search";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { useMemo } from "react";
import { cellText, coordinatesOf } from "#lib/text/cell-text.ts";
import { RowsChart } from "#parts/dataset-profile/rows-chart.tsx";
import { type Position, SmallMap } from "#parts/dataset-profile/small-map.tsx";
import { DataTable } from "#ui/kit/data-table.tsx";
import { LoadingRows } from "#ui/states.tsx";
import type { DatasetDraft } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import classes from "./dataset-form.module.css";

const shownRows = 5;
const steps = 20;

/** Some rows as the draft shows them: on a map, over time, and by their titles. */
export function RowsPicture() {
  const { draft, preview } = useDatasetForm();
  const { rows, problem } = preview;
  const positions = useMemo(() => positionsOf(draft, rows ?? []), [draft, rows]);
  const counts = useMemo(() => countsOf(draft, rows ?? []), [draft, rows]);
  const columns = shownColumns(draft);
  return (
    <aside aria-label="Picture of some rows" className={classes["picture"]}>
      {problem !== null && <p className={classes["about"]}>{`Rows cannot be shown: ${problem}`}</p>}
      {rows === undefined && problem === null && <LoadingRows label="Loading some rows" rows={6} />}
      {rows !== undefined && (
        <>
          <p className={classes["about"]}>
            {rows.length === 0 ? "The dataset has no rows." : `The first ${pluralize(rows.length, "row")}`}
          </p>
          {positions.length > 0 && (
            <figure aria-label={`${pluralize(positions.length, "place")} on a map`} className={classes["map"]}>
              <SmallMap positions={positions} showsAll />
            </figure>
          )}
          {draft.locationField !== null && rows.length > 0 && positions.length === 0 && (
            <p className={classes["about"]}>
              {isLocationKnown(draft, rows) ? "None of these rows has a place." : "Places are shown once the dataset is saved."}
            </p>
          )}
          {counts.length > 0 && (
            <figure aria-label={`Rows over time by ${draft.temporalField}`} className={classes["times"]}>
              <RowsChart rows={counts} isLine={false} />
            </figure>
          )}
          {columns.length > 0 && (
            <DataTable
              label="How rows are called"
              columns={columns.map(({ heading, column }) => ({
                id: heading,
                header: heading,
                cell: (row: ResultRow) => cellText(column, row),
              }))}
              rows={rows.slice(0, shownRows)}
              // Rows have no key and never move.
              rowKey={(_, index) => index}
              edges="flush"
              holdsValues
              className={classes["sample"]}
            />
          )}
        </>
      )}
    </aside>
  );
}

/** The columns by which people know a row. */
function shownColumns(draft: DatasetDraft) {
  const chosen: readonly (readonly [string, string | null | undefined])[] = [
    ["Title", draft.titleField],
    ["Subtitle", draft.subtitleField],
    ["Time", draft.temporalField],
    ["Item", draft.mapSupport?.groupItemField],
  ];
  return chosen.flatMap(([heading, name]) => {
    const column = draft.schema.columns.find((one) => one.name === name);
    return column ? [{ heading, column }] : [];
  });
}

function positionsOf({ locationField, schema }: DatasetDraft, rows: readonly ResultRow[]): Position[] {
  const column = schema.columns.find(({ name }) => name === locationField);
  if (column === undefined) return [];
  return rows.flatMap((row): Position[] => {
    const point = coordinatesOf(column, row);
    return point === null ? [] : [[point.lat, point.lng]];
  });
}

/** Rows in steps of equal length, oldest first. */
function countsOf({ temporalField, schema }: DatasetDraft, rows: readonly ResultRow[]): number[] {
  const column = schema.columns.find(({ name }) => name === temporalField);
  if (column === undefined || !isTimestamp(column.type)) return [];
  const times = rows.flatMap((row) => {
    const value = row[column.name] ?? null;
    const epochMs = value === null ? undefined : epochMsOf(column.type, value);
    return epochMs === undefined || Number.isNaN(epochMs) ? [] : [epochMs];
  });
  if (times.length === 0) return [];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const counts = Array.from({ length: steps }, () => 0);
  for (const time of times) {
    const step = last === first ? 0 : Math.min(steps - 1, Math.floor(((time - first) / (last - first)) * steps));
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}

/** Whether the rows, which are those of the stored dataset, have the columns of the draft's location. */
function isLocationKnown({ schema, locationField }: DatasetDraft, rows: readonly ResultRow[]): boolean {
  const { combined } = schema.columns.find(({ name }) => name === locationField) ?? {};
  return rows.some((row) => combined?.fields.every((field) => Object.hasOwn(row, field)) ?? true);
}
