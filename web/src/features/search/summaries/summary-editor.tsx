import { type BreakdownGrouping, breakdownLimits } from "@fairway/contract/breakdowns";
import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { type ChartKind, chartLabels, chartOf, offeredCharts } from "./model/charts.ts";
import { titleOf } from "./model/measure-wording.ts";
import { groupingChoices, groupingLabel } from "./model/grouping-choices.ts";
import { type Asked, type StoredSummary } from "./model/summary.ts";
import { Conditions } from "./editor-conditions.tsx";
import { GroupingFields } from "./editor-grouping.tsx";
import { Measures } from "./editor-measures.tsx";
import classes from "./summaries.module.css";

/** Groupings that a table of figures can show. */
const maxGroupings = 2;

interface Props {
  record: SearchRecord;
  summary: StoredSummary;
  /** The grouping is chosen next, otherwise the title has the focus. */
  startsWithGrouping: boolean;
  onChange: (summary: StoredSummary) => void;
  onDone: () => void;
  /** Takes all changes back. */
  onCancel: () => void;
}

/** Changes a summary, which is drawn beside it. */
export function SummaryEditor({ record, summary, startsWithGrouping, onChange, onDone, onCancel }: Props) {
  const { datasetDescription: description } = record;
  const { breakdown } = summary;
  const { by = [] } = breakdown;
  const first = useRef<HTMLInputElement>(null);
  const grouping = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    (startsWithGrouping ? grouping.current : first.current)?.focus();
  }, [startsWithGrouping]);
  const chartLabel = useId();
  const change = (asked: Asked) => onChange({ ...summary, breakdown: asked });
  const setBy = (next: readonly BreakdownGrouping[]) => change({ ...breakdown, by: [...next] });
  const choices = groupingChoices(description, by);
  const charts = offeredCharts(by);
  const chart = chartOf(summary.chart, by);
  return (
    <form
      className={classes["editor"]}
      aria-label="Edit summary"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
      }}
    >
      <div className={classes["editorHead"]}>
        <h2>Edit summary</h2>
        <IconButton label="Close editor" onClick={onDone}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={classes["body"]}>
        <TextInput
          ref={first}
          label="Title"
          value={summary.title ?? titleOf(breakdown)}
          maxLength={breakdownLimits.labelCharacters}
          autoComplete="off"
          onChange={(event) => onChange({ ...summary, title: event.currentTarget.value === "" ? null : event.currentTarget.value })}
        />
        <Section title="Measures">
          <Measures description={description} asked={breakdown} onChange={change} />
        </Section>
        <Section title="By">
          {by.map((one, index) => (
            <GroupingFields
              key={groupingLabel(one)}
              grouping={one}
              asked={breakdown}
              onChange={(changed) => setBy(by.with(index, changed))}
              onRemove={() => setBy(by.toSpliced(index, 1))}
            />
          ))}
          {by.length < maxGroupings && (
            <NativeSelect
              ref={grouping}
              aria-label="Add grouping"
              value=""
              onChange={(event) => {
                const choice = choices.find(({ label }) => label === event.currentTarget.value);
                if (choice) setBy([...by, choice.grouping]);
              }}
              data={[{ value: "", label: "Add grouping …", disabled: true }, ...choices.map(({ label }) => label)]}
            />
          )}
        </Section>
        {by.length > 0 && (
          <Section title="Only groups with">
            <Conditions asked={breakdown} onChange={change} />
          </Section>
        )}
        <Section title="Chart">
          <SegmentedControl<ChartKind>
            fullWidth
            aria-labelledby={chartLabel}
            value={chart}
            onChange={(kind) => onChange({ ...summary, chart: kind })}
            data={charts.map(({ kind, reason }) => ({
              value: kind,
              disabled: reason !== null,
              label: <span title={reason ?? undefined}>{chartLabels[kind]}</span>,
            }))}
          />
          <span id={chartLabel} hidden>
            Chart
          </span>
        </Section>
      </div>
      <div className={classes["editorFoot"]}>
        <Button type="submit">Save graph</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
