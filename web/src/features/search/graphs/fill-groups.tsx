import { columnTitle } from "@fairway/contract/columns";
import { columnValues, maxValues } from "@fairway/contract/column-values";
import { pluralize } from "@fairway/contract/counts";
import { Button, NativeSelect } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { type GroupingWay, groupsFromProfile, waysOf } from "#features/search/graphs/model/column-groups.ts";
import { conditionColumns } from "#features/search/graphs/model/graph-validity.ts";
import type { Grouping } from "@fairway/contract/charts/graph";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import classes from "./graphs.module.css";

const counts = [3, 5, 8, maxValues.top] as const;
const wayLabels: Record<GroupingWay, string> = { top: "Top values", ranges: "Equal ranges" };

/** Values that groups are filled with. */
interface Choice {
  column: string;
  way: GroupingWay;
  count: number;
}

interface Props {
  record: SearchRecord;
  /** The column to fill from as soon as the editor opens. */
  initialColumn: string | null;
  onFill: (groupings: Grouping[]) => void;
}

/** Fills the groups from what a column holds in the rows of the search, with one call for its profile. */
export function FillGroups({ record, initialColumn, onFill }: Props) {
  const columns = conditionColumns(record.datasetDescription);
  const [choice, setChoice] = useState<Choice>(() => {
    const likely = columns.find(({ name }) => name === initialColumn) ?? columns.find(({ type }) => type === "STRING") ?? columns[0];
    return { column: likely?.name ?? "", way: "ranges", count: 8 };
  });
  const chosen = columns.find(({ name }) => name === choice.column);
  const ways = chosen ? waysOf(chosen) : [];
  const way = ways.find((offered) => offered === choice.way) ?? ways[0] ?? "top";
  const { isFilling, failure, fill } = useFilling(record, onFill, initialColumn === null ? null : { ...choice, way });
  const change = (changes: Partial<Choice>) => setChoice({ ...choice, ...changes });
  return (
    <div role="group" aria-label="Create groups from a column" className={classes["fill"]}>
      <NativeSelect
        aria-label="Column to create groups from"
        value={choice.column}
        onChange={(event) => change({ column: event.currentTarget.value })}
        data={columns.map((column) => ({ value: column.name, label: columnTitle(column) }))}
      />
      <NativeSelect
        aria-label="How to group"
        value={way}
        onChange={(event) => change({ way: ways.find((offered) => offered === event.currentTarget.value) ?? "top" })}
        data={ways.map((offered) => ({ value: offered, label: wayLabels[offered] }))}
      />
      <NativeSelect
        aria-label="Number of groups"
        value={String(choice.count)}
        onChange={(event) => change({ count: Number(event.currentTarget.value) })}
        data={counts.map(String)}
      />
      <Button variant="default" loading={isFilling} onClick={() => fill({ ...choice, way })}>
        Create groups
      </Button>
      {failure !== null && (
        <p role="alert" className={classes["fillFailure"]}>
          {failure}
        </p>
      )}
    </div>
  );
}

/** Fills at once if `first` is not null. Another fill and closing the editor abort a running one. */
function useFilling(record: SearchRecord, onFill: Props["onFill"], first: Choice | null) {
  const [requested, setRequested] = useState(first);
  const [outcome, setOutcome] = useState<{ of: Choice; failure: string | null } | null>(null);
  const latest = useRef({ record, onFill });
  useEffect(() => {
    latest.current = { record, onFill };
  });
  useEffect(() => {
    if (requested === null) return undefined;
    const controller = new AbortController();
    fillFrom(latest.current.record, requested, controller.signal).then(
      (groupings) => {
        if (controller.signal.aborted) return;
        const failure = groupings.length === 0 ? `${requested.column} has no values in these rows.` : null;
        setOutcome({ of: requested, failure });
        if (failure !== null) return;
        latest.current.onFill(groupings);
        announce(`${pluralize(groupings.length, "group")} created`);
      },
      (error: unknown) => {
        const failure = [`The values of ${requested.column} could not be read.`, ...messagesOf(error)].join(" ");
        if (!controller.signal.aborted) setOutcome({ of: requested, failure });
      },
    );
    return () => controller.abort();
  }, [requested]);
  const current = outcome?.of === requested ? outcome : null;
  return { isFilling: requested !== null && current === null, failure: current?.failure ?? null, fill: setRequested };
}

async function fillFrom(record: SearchRecord, { column: name, way, count }: Choice, signal: AbortSignal): Promise<Grouping[]> {
  const { category, datasetId } = record.datasetDescription;
  const column = conditionColumns(record.datasetDescription).find((candidate) => candidate.name === name);
  if (!column) return [];
  const params = { category: category.id, datasetId, column: name };
  const profile = await call(columnValues.profile, { params, body: countDataOf(record) }, { signal });
  return groupsFromProfile(column, profile, { way, count });
}
