import { pluralize } from "@fairway/contract/counts";
import { type ColumnProfile, columnValues } from "@fairway/contract/column-values";
import { type Column, columnTypeName, isMoment } from "@fairway/contract/columns";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { ActionIcon, Button, Group, SegmentedControl } from "@mantine/core";
import { IconFilterMinus } from "#ui/icons/filter-minus.ts";
import { IconFilterPlus } from "#ui/icons/filter-plus.ts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { valueText } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { canFilterByValue, type ValueOperator } from "#parts/filters/value-filter.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { profileOfRows } from "./row-profile.ts";
import classes from "./profile-dialog.module.css";

interface Props {
  opened: boolean;
  column: Column;
  record: SearchRecord;
  rows: readonly ResultRow[];
  /** Undefined if the rows cannot be filtered by this column. */
  onFilter?: ((value: CellValue, operator: ValueOperator) => void) | undefined;
  onClose: () => void;
}

type ProfileScope = "loaded" | "all";

/** Statistics of a column: of all matching rows where the engine computes them, or of the loaded rows. */
export function ProfileDialog({ opened, onClose, column, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Summary of ${column.name}`} size={520}>
      <Profile key={column.name} column={column} onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Profile({ column, record, rows, onFilter, onClose }: Omit<Props, "opened">) {
  const { datasetDescription: description, isSample } = record;
  const canProfileAll = !isSample && description.assists.includes("PROFILE");
  const zone = useResultZone();
  const [scope, setScope] = useState<ProfileScope>(canProfileAll ? "all" : "loaded");
  const loaded = pluralize(rows.length, "loaded row");
  return (
    <>
      <Group gap="md" justify="space-between" mb="lg">
        <span className={classes["type"]}>
          {isMoment(column) ? `${columnTypeName[column.type]}, ${zone.replaceAll("_", " ")}` : columnTypeName[column.type]}
        </span>
        {canProfileAll ? (
          <SegmentedControl
            aria-label="Rows that the profile covers"
            size="xs"
            value={scope}
            onChange={setScope}
            data={[
              { value: "all", label: "All rows" },
              { value: "loaded", label: loaded },
            ]}
          />
        ) : (
          <span className={classes["type"]}>{loaded}</span>
        )}
      </Group>
      {scope === "loaded" ? (
        <Figures column={column} profile={profileOfRows(column, rows)} onFilter={onFilter} onClose={onClose} />
      ) : (
        <AllRows column={column} record={record} onFilter={onFilter} onClose={onClose} onCancel={() => setScope("loaded")} />
      )}
    </>
  );
}

type FiguresProps = Pick<Props, "column" | "onFilter" | "onClose">;

/** Queries the engine. Unmounting aborts the query. */
function AllRows({ record, onCancel, ...props }: FiguresProps & Pick<Props, "record"> & { onCancel: () => void }) {
  const { category, datasetId } = record.datasetDescription;
  const search = countDataOf(record);
  const query = useQuery({
    queryKey: ["column-profile", category.id, datasetId, props.column.name, search],
    queryFn: ({ signal }) =>
      call(columnValues.profile, { params: { category: category.id, datasetId, column: props.column.name }, body: search }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
  if (query.data) return <Figures profile={query.data} {...props} />;
  const loading = (
    <div className={classes["loading"]}>
      <LoadingRows label="Profiling all rows" rows={6} />
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
  return <WithoutData query={query} loading={{ shown: loading }} failed="Profile failed" />;
}

function Figures({ column, profile, onFilter, onClose }: FiguresProps & { profile: ColumnProfile }) {
  const { rows, empty, distinct, min, max, top, histogram } = profile;
  const zone = useResultZone();
  const format = (value: CellValue) => valueText(column, value, zone) ?? "–";
  return (
    <>
      <dl className={classes["figures"]}>
        <Figure name="Rows" value={rows.toLocaleString("en-US")} />
        <Figure name="Empty" value={`${empty.toLocaleString("en-US")} (${percentText(empty, rows)})`} />
        <Figure name="Distinct values" value={distinct.toLocaleString("en-US")} />
        <Figure name="Min" value={format(min)} />
        <Figure name="Max" value={format(max)} />
      </dl>
      {histogram.length > 1 && <Histogram column={column} bins={histogram} ends={[format(min), format(max)]} />}
      {top.length > 0 && (
        <TopValues
          column={column}
          profile={profile}
          onFilter={
            onFilter &&
            ((value, operator) => {
              onFilter(value, operator);
              onClose();
            })
          }
        />
      )}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={value}>{value}</dd>
    </div>
  );
}

function Histogram({ column, bins, ends }: { column: Column; bins: ColumnProfile["histogram"]; ends: readonly [string, string] }) {
  const id = useId();
  const zone = useResultZone();
  const maxRows = Math.max(...bins.map(({ rows }) => rows));
  // Bin edges of decimals are computed; drop meaningless digits.
  const formatEdge = (value: number) => valueText(column, column.type === "decimal" ? Number(value.toPrecision(6)) : value, zone) ?? "";
  return (
    <section aria-labelledby={id} className={classes["section"]}>
      <h3 id={id}>Distribution</h3>
      <ol className={classes["bars"]}>
        {bins.map(({ from, to, rows }) => {
          const text = `${formatEdge(from)} to ${formatEdge(to)}: ${pluralize(rows, "row")}`;
          return (
            <li key={from} title={text}>
              <span className="visually-hidden">{text}</span>
              <span className={classes["bar"]} style={{ height: `${rows === 0 ? 0 : Math.max(2, (rows / maxRows) * 100)}%` }} aria-hidden />
            </li>
          );
        })}
      </ol>
      <div className={classes["axis"]} aria-hidden>
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </section>
  );
}

interface TopValuesProps {
  column: Column;
  profile: ColumnProfile;
  onFilter: ((value: CellValue, operator: ValueOperator) => void) | undefined;
}

function TopValues({ column, profile, onFilter }: TopValuesProps) {
  const id = useId();
  const zone = useResultZone();
  const { top, rows, distinct } = profile;
  const title = distinct > top.length ? `Most frequent ${top.length} of ${distinct.toLocaleString("en-US")} values` : "Values";
  return (
    <section aria-labelledby={id} className={classes["section"]}>
      <h3 id={id}>{title}</h3>
      <ol className={classes["top"]}>
        {top.map(({ value, rows: count }) => {
          const text = valueText(column, value, zone) ?? "";
          return (
            // Not the text: local times repeat at the end of daylight saving time.
            <li key={String(value)}>
              <span className={classes["share"]} style={{ width: percentText(count, rows) }} aria-hidden />
              <span className={classes["value"]} title={text}>
                {text === "" ? <i>empty text</i> : text}
              </span>
              <span className={classes["count"]}>{`${count.toLocaleString("en-US")} (${percentText(count, rows)})`}</span>
              {onFilter && (
                <span className={classes["tools"]} data-empty={!canFilterByValue(value) || undefined}>
                  <Tool label={`Keep only ${column.name} ${text}`} onClick={() => onFilter(value, "=")}>
                    <IconFilterPlus size={16} aria-hidden />
                  </Tool>
                  <Tool label={`Leave out ${column.name} ${text}`} onClick={() => onFilter(value, "<>")}>
                    <IconFilterMinus size={16} aria-hidden />
                  </Tool>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Tool({ label, onClick, children }: { label: string; onClick: () => void; children: React.ReactNode }) {
  return (
    <ActionIcon variant="subtle" color="gray" size={28} aria-label={label} title={label} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

/** `12.5%`; `<0.1%` for smaller shares. */
function percentText(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "0%";
  const percent = (part / whole) * 100;
  return percent < 0.1 ? "<0.1%" : `${Number(percent.toFixed(1))}%`;
}
