import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { derivedColumnLimits } from "@fairway/contract/derived-columns";
import { Button, Checkbox, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { IconPlus } from "#ui/icons/plus.ts";
import { LoadingRows } from "#ui/states.tsx";
import type { FieldMarks } from "./field-marks.ts";
import { FoundRows } from "./found-rows.tsx";
import { KeyPairs } from "./key-pairs.tsx";
import { type LookupDraft, isCompleteKey } from "./lookup-draft.ts";
import { PickedColumns } from "./picked-columns.tsx";
import { foundText, repeatedText } from "./report-text.ts";
import { TargetSelect } from "./target-select.tsx";
import { type LookupState, type LookupSubject, useLookup } from "./use-lookup.ts";
import classes from "./lookup.module.css";

interface Props<Draft extends LookupDraft> {
  draft: Draft;
  onChange: (draft: Draft) => void;
  subject: LookupSubject;
  /** Lower-case names of the columns that are there already. */
  taken: ReadonlySet<string>;
  /** Names the fields among those of other lookups. */
  name: string;
  zone: string;
  /** By the path within the lookup, such as `["key", 0, "on"]`. */
  marks?: (path: readonly (string | number)[]) => FieldMarks;
  /** Right of the choice of the dataset. */
  aside?: ReactNode;
}

const noMarks = (): FieldMarks => ({});

/** A dataset, a key, and the columns to look up, with what they find. */
export function LookupFields<Draft extends LookupDraft>({
  draft,
  onChange,
  subject,
  taken,
  name,
  zone,
  marks = noMarks,
  aside,
}: Props<Draft>) {
  const state = useLookup(draft, subject);
  const { pairs, others, problem } = state;
  // Names of columns begin with the key.
  const isReady = others.length > 0 && pairs.length > 0;
  const choose = (dataset: DatasetRef) => onChange({ ...draft, dataset, key: [], columns: [] });
  return (
    <>
      <div className={classes["dataset"]}>
        <TargetSelect
          {...marks(["dataset"])}
          subject={subject.dataset}
          value={draft.dataset}
          onChoice={choose}
          data-autofocus={draft.dataset === null || undefined}
        />
        {aside}
      </div>
      {draft.dataset === null && (
        <p className={classes["note"]}>Each row gets values of the row there with the same key. The number of rows stays the same.</p>
      )}
      {draft.dataset !== null && (
        // Another dataset begins anew.
        <Stack key={datasetKey(draft.dataset)} gap="lg">
          <div role="group" aria-label={`Key of ${name}`}>
            <KeyPairs
              pairs={pairs}
              columns={subject.columns}
              others={others}
              otherName={draft.dataset.datasetId}
              problem={problem?.pair === null || problem === null ? null : { pair: problem.pair, message: problem.messages.join(" ") }}
              name={name}
              marks={marks}
              onChange={(key) => onChange({ ...draft, key })}
            />
            <Group justify="space-between" gap="md" mih="var(--control-h)" mt="sm">
              <Checkbox
                label="Ignore case and outer spaces"
                checked={draft.match === "loose"}
                onChange={(event) => onChange({ ...draft, match: event.currentTarget.checked ? "loose" : "exact" })}
              />
              {pairs.length > 0 && pairs.length < derivedColumnLimits.keyColumns && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  onClick={() => onChange({ ...draft, key: [...pairs, { column: "", on: "" }] })}
                >
                  Add a pair
                </Button>
              )}
            </Group>
            <Report state={state} />
          </div>
          {!isReady && problem === null && <LoadingRows label="Loading columns" rows={4} />}
          {isReady && (
            <PickedColumns
              draft={draft}
              pairs={pairs}
              others={others}
              state={state}
              taken={taken}
              name={name}
              marks={marks}
              onChange={onChange}
              zone={zone}
            />
          )}
          {state.report !== undefined && draft.columns.length > 0 && (
            <FoundRows report={state.report} columns={subject.columns} picked={draft.columns} others={others} zone={zone} />
          )}
        </Stack>
      )}
    </>
  );
}

/** The result of a key, in sentences. */
function Report({ state: { pairs, report, isComparing, problem } }: { state: LookupState }) {
  const repeated = report === undefined ? null : repeatedText(report);
  return (
    <div className={classes["report"]} aria-live="polite" aria-busy={isComparing}>
      {problem !== null && problem.pair === null && (
        <p className={classes["problem"]}>
          {problem.messages.join(" ")}{" "}
          <Button variant="subtle" size="compact-xs" onClick={problem.retry}>
            Retry
          </Button>
        </p>
      )}
      {problem === null && report !== undefined && (
        <p data-found={report.found > 0 || undefined}>
          {foundText(report)} {repeated}
        </p>
      )}
      {problem === null && report === undefined && isComparing && <p>Comparing values …</p>}
      {problem === null && report === undefined && !isComparing && pairs.length > 0 && !isCompleteKey(pairs) && (
        <p>Choose two columns that hold the same values.</p>
      )}
    </div>
  );
}
