import type { BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import { type ExportFormat, exceedsSheet, sheetLimitText } from "@fairway/contract/exports";
import { Button, Flex, Radio, Stack } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { countDataOf, searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { ExportProgress } from "./export-progress.tsx";
import { forgetExport, startExport, startTableExport, useExportRun, watchExport } from "./export-runs.ts";
import { LabelHeads } from "./label-heads.tsx";
import { coverageText } from "./export-wording.ts";
import classes from "./result-export.module.css";

/** The table of a summary instead of the rows. */
export interface ExportedTable {
  note: string;
  /** The groups that the file may have, by default the first ones. */
  extents: readonly TableExtent[];
}

export interface TableExtent {
  /** `All 220 origins`. */
  label: string;
  description?: string;
  breakdown: Omit<BreakdownRequestDraft, "search">;
}

interface Props {
  opened: boolean;
  record: SearchRecord;
  /** The columns on the screen, in their order. */
  visibleColumns: readonly Column[];
  /** Total rows of the search; null when unknown. */
  totalRows: number | null;
  table?: ExportedTable | undefined;
  onClose: () => void;
}

/** 'Export All Results': the server writes all rows of the search, or a table of figures, to a file, even while the dialog is closed. */
export function ExportAllDialog({ opened, onClose, ...rest }: Props) {
  const { id } = rest.record;
  useEffect(() => {
    if (!opened) return undefined;
    watchExport(id);
    return () => watchExport(null);
  }, [opened, id]);
  return (
    <Dialog opened={opened} onClose={onClose} title={rest.table ? "Export Table" : "Export All Results"} size={480}>
      <ExportAll onClose={onClose} {...rest} />
    </Dialog>
  );
}

function ExportAll({ record, onClose, ...rest }: Omit<Props, "opened">) {
  const run = useExportRun(record.id);
  if (run?.phase === "running" || run?.phase === "done") {
    const present = rest.table ? rest.table.extents.map((extent) => breakdownOf(record, extent)) : [searchDataOf(record)];
    const changed = !present.some((one) => run.search === JSON.stringify(one));
    return (
      <ExportProgress
        // Each phase sets its own initial focus.
        key={run.phase}
        searchId={record.id}
        run={run}
        changed={changed}
        onClose={onClose}
        onAgain={() => forgetExport(record.id)}
      />
    );
  }
  const problem = run?.phase === "failed" ? run.messages : none;
  return (
    <ExportForm
      record={record}
      {...rest}
      starting={run?.phase === "starting"}
      problem={problem}
      cancelled={run?.phase === "cancelled"}
      onClose={onClose}
    />
  );
}

const breakdownOf = (record: SearchRecord, { breakdown }: TableExtent): BreakdownRequestDraft => ({
  ...breakdown,
  search: countDataOf(record),
});

/** Like the choices of the other export. */
const cards = {
  body: classes["choice"] ?? "",
  inner: classes["dot"] ?? "",
  label: classes["whole"] ?? "",
  description: classes["description"] ?? "",
};

const none: readonly string[] = [];

interface FormProps extends Omit<Props, "opened"> {
  starting: boolean;
  problem: readonly string[];
  cancelled: boolean;
}

function ExportForm({ record, visibleColumns, totalRows, table, starting, problem, cancelled, onClose }: FormProps) {
  const { exportMaxRows } = useLimits();
  const { category, datasetId, schema, access } = record.datasetDescription;
  // Rows may have columns that are not described; the server writes described columns only.
  const columns = table
    ? []
    : visibleColumns.filter(({ name }) => schema.columns.some((column) => column.name === name)).map(({ name }) => name);
  const [format, setFormat] = useState<ExportFormat>(columns.length === 0 && !table ? "json" : "csv");
  const [hasLabels, setHasLabels] = useState(false);
  const [chosen, setChosen] = useState(0);
  const extent = table?.extents[chosen];
  const isTooLong = !table && exceedsSheet(totalRows, exportMaxRows);
  const start = (event: FormEvent) => {
    event.preventDefault();
    if (extent) {
      void startTableExport(record.id, { category: category.id, datasetId, format, breakdown: breakdownOf(record, extent) });
      return;
    }
    const request = { category: category.id, datasetId, format, search: searchDataOf(record) };
    const labels = format === "csv" && hasLabels ? { labels: true } : {};
    void startExport(record.id, format === "csv" || format === "xlsx" ? { ...request, columns, ...labels } : request);
  };
  return (
    <form className={classes["form"]} onSubmit={start}>
      <p className={classes["note"]}>{table ? table.note : coverageText(totalRows, exportMaxRows)}</p>
      {access?.rows === "some" && (
        <div>
          <PartOfRows access={access} />
        </div>
      )}
      {problem.length > 0 && (
        <div role="alert">
          {problem.map((message) => (
            <p key={message} className={classes["failure"]}>
              {message}
            </p>
          ))}
        </div>
      )}
      {cancelled && (
        <p role="status" className={classes["note"]}>
          The export was canceled.
        </p>
      )}
      {table && table.extents.length > 1 && (
        <Radio.Group label="Groups" value={String(chosen)} onChange={(value) => setChosen(Number(value))}>
          <Stack gap="sm">
            {table.extents.map(({ label, description }, index) => (
              <Radio key={label} classNames={cards} value={String(index)} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Radio.Group label="Format" value={format} onChange={(value) => setFormat(value)}>
        <Stack gap="sm">
          <Radio
            classNames={cards}
            value="csv"
            label="CSV"
            description={
              table
                ? "Times are ISO 8601 in UTC."
                : columns.length === 0
                  ? "All columns are hidden."
                  : `${columnsText(columns.length)} Times are ISO 8601 in UTC.`
            }
            disabled={columns.length === 0 && !table}
          />
          <Radio
            classNames={cards}
            value="xlsx"
            label="Excel (.xlsx)"
            description={isTooLong ? sheetLimitText(totalRows) : "Numbers and times with their types, and a sheet about the search."}
            disabled={(columns.length === 0 && !table) || isTooLong}
          />
          <Radio classNames={cards} value="json" label="JSON" description="Every column, with values as the server sends them." />
          <Radio
            classNames={cards}
            value="parquet"
            label="Parquet"
            description="Every column with its type, for analysis in other tools."
          />
          <Radio
            classNames={cards}
            value="arrow"
            label="Arrow"
            description="Every column with its type, as a stream that programs read without parsing."
          />
        </Stack>
      </Radio.Group>
      {format === "csv" && !table && (
        <LabelHeads columns={visibleColumns.filter(({ name }) => columns.includes(name))} checked={hasLabels} onChange={setHasLabels} />
      )}
      <Flex gap="sm" justify="flex-end" wrap="wrap">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" loading={starting} data-autofocus>
          Start Export
        </Button>
      </Flex>
    </form>
  );
}

const columnsText = (count: number): string => (count === 1 ? "The visible column." : `The ${count} visible columns in their order.`);
