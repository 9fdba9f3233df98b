import { type BreakdownGrouping, breakdownLimits } from "@fairway/contract/breakdowns";
import { useMediaQuery } from "@mantine/hooks";
import { Button, NativeSelect, SegmentedControl, TextInput } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import type { GraphDefinition } from "@fairway/contract/charts/graph";
import { graphableColumns } from "#features/search/graphs/model/graph-validity.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { graphOfSummary } from "./model/to-graph.ts";
import { labeledBreakdown, titleOf } from "@fairway/contract/charts/measure-wording";
import { groupingChoices } from "./model/grouping-choices.ts";
import type { Asked } from "@fairway/contract/charts/asked";
import type { StoredSummary } from "./model/summary.ts";
import { ChartChoice } from "./editor-chart.tsx";
import { Compare } from "./editor-compare.tsx";
import { Conditions } from "./editor-conditions.tsx";
import { GroupingFields } from "./editor-grouping.tsx";
import { Measures } from "./editor-measures.tsx";
import classes from "./summaries.module.css";

interface Props {
  record: SearchRecord;
  summary: StoredSummary;
  /** The grouping is chosen next, otherwise the title has the focus. */
  startsWithGrouping: boolean;
  onChange: (summary: StoredSummary) => void;
  onDone: () => void;
  /** Takes all changes back. */
  onCancel: () => void;
  /** Edits it as a graph of groups by hand. */
  onByHand: (graph: GraphDefinition) => void;
}

/** Changes a summary, which is drawn beside it. */
export function SummaryEditor({ record, summary, startsWithGrouping, onChange, onDone, onCancel, onByHand }: Props) {
  const { datasetDescription: description } = record;
  const { breakdown } = summary;
  const { by = [] } = breakdown;
  const first = useRef<HTMLInputElement>(null);
  const grouping = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    (startsWithGrouping ? grouping.current : first.current)?.focus();
  }, [startsWithGrouping]);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const change = (asked: Asked) => onChange({ ...summary, breakdown: asked });
  const setBy = (next: readonly BreakdownGrouping[]) => change({ ...breakdown, by: [...next] });
  const choices = groupingChoices(description, by);
  const byHand =
    graphableColumns(description).length === 0
      ? "Groups by hand need a column of numbers."
      : graphOfSummary(summary, description.temporalField);
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
        <SegmentedControl
          fullWidth
          aria-label="Way to make the graph"
          value="summarize"
          onChange={() => {
            if (typeof byHand === "object") onByHand(byHand);
          }}
          data={[
            { value: "summarize", label: "Summarize" },
            {
              value: "hand",
              label: <span title={typeof byHand === "string" ? byHand : undefined}>Groups by hand</span>,
              disabled: typeof byHand === "string",
            },
          ]}
        />
        <TextInput
          ref={first}
          label="Title"
          value={summary.title ?? titleOf(labeledBreakdown(breakdown, description.schema.columns))}
          maxLength={breakdownLimits.labelCharacters}
          autoComplete="off"
          onChange={(event) => onChange({ ...summary, title: event.currentTarget.value === "" ? null : event.currentTarget.value })}
        />
        <Section title="Measures" count={`${breakdown.measures.length} of ${breakdownLimits.measures}`}>
          <Measures description={description} asked={breakdown} onChange={change} />
        </Section>
        <Section title="By" count={`${by.length} of ${breakdownLimits.groupings}`}>
          {by.map((one, index) => {
            const place = `${index} of ${by.length}`;
            return (
              <GroupingFields
                key={place}
                grouping={one}
                description={description}
                asked={breakdown}
                onChange={(changed) => setBy(by.with(index, changed))}
                onRemove={() => setBy(by.toSpliced(index, 1))}
              />
            );
          })}
          {by.length < breakdownLimits.groupings && (
            <NativeSelect
              ref={grouping}
              aria-label="Add grouping"
              value=""
              onChange={(event) => {
                const choice = choices.find(({ label }) => label === event.currentTarget.value);
                if (choice) setBy([...by, choice.grouping]);
              }}
              data={[
                { value: "", label: "Add grouping …", disabled: true },
                ...choices.map(({ label, title }) => ({ value: label, label: title })),
              ]}
            />
          )}
        </Section>
        {by.length > 0 && (
          <Section title="Only groups with">
            <Conditions description={description} asked={breakdown} onChange={change} />
          </Section>
        )}
        {description.temporalField !== null && (
          <Section title="Compare with">
            <Compare record={record} asked={breakdown} onChange={change} />
          </Section>
        )}
        <Section title="Chart">
          <ChartChoice summary={summary} onChange={onChange} />
        </Section>
      </div>
      <div className={classes["editorFoot"]}>
        <Button type="submit">{isPhone ? "Draw" : "Save graph"}</Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Section({ title, count, children }: { title: string; count?: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend>
        {title}
        {count !== undefined && <small>{count}</small>}
      </legend>
      {children}
    </fieldset>
  );
}
