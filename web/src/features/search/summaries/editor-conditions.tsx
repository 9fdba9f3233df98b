import { breakdownLimits } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { operator as comparison } from "@fairway/contract/columns";
import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { labeledBreakdown, measureLabel } from "@fairway/contract/charts/measure-wording";
import { type Asked, type Condition, measureId } from "@fairway/contract/charts/asked";
import { groupingIds } from "./model/summary.ts";
import classes from "./summaries.module.css";

const counted = { aggregation: "count", column: "*" } as const;
const rowCount = measureId(counted);

/** Conditions that groups have to meet. All of them have to hold. */
export function Conditions({
  description,
  asked,
  onChange,
}: {
  description: DatasetDescription;
  asked: Asked;
  onChange: (asked: Asked) => void;
}) {
  const { having = [], measures, by = [] } = asked;
  const ids = new Set(measures.map(measureId));
  const labeled = labeledBreakdown(asked, description.schema.columns).measures;
  const choices = labeled.map((measure) => ({ value: measureId(measure), label: measureLabel(measure) }));
  if (!ids.has(rowCount) && measures.length < breakdownLimits.measures) choices.push({ value: rowCount, label: measureLabel(counted) });
  /** Conditions are on measures: one on the number of rows brings it along. */
  const setHaving = (next: readonly Condition[]) => {
    const needsCount = !ids.has(rowCount) && next.some(({ measure }) => measure === rowCount);
    onChange({ ...asked, measures: needsCount ? [...measures, counted] : measures, having: [...next] });
  };
  const added = choices.find(({ value }) => value === rowCount) ?? choices[0];
  return (
    <>
      {having.map((condition, index) => {
        const set = (changes: Partial<Condition>) => setHaving(having.with(index, { ...condition, ...changes }));
        const number = `${index + 1}`;
        return (
          <div key={number} role="group" aria-label={`condition ${number}`} className={classes["condition"]}>
            <NativeSelect
              aria-label="Measure"
              value={condition.measure}
              onChange={(event) => set({ measure: event.currentTarget.value })}
              data={choices}
            />
            <NativeSelect
              aria-label="Operator"
              value={condition.operator}
              onChange={(event) => set({ operator: comparison.parse(event.currentTarget.value) })}
              data={[...comparison.options]}
            />
            <NumberInput
              aria-label="Value"
              hideControls
              value={condition.value}
              onChange={(value) => {
                if (typeof value === "number") set({ value });
              }}
            />
            {by.length > 1 && (
              <NativeSelect
                className={classes["on"] ?? ""}
                aria-label="Holds for"
                value={condition.on ?? ""}
                onChange={(event) => {
                  const { on: _, ...cell } = condition;
                  const chosen = event.currentTarget.value;
                  setHaving(having.with(index, chosen === "" ? cell : { ...cell, on: chosen }));
                }}
                data={[
                  { value: "", label: "each cell" },
                  ...groupingIds(by).map(({ id, label }) => ({ value: id, label: `each ${label}` })),
                ]}
              />
            )}
            <IconButton label={`Remove condition ${number}`} onClick={() => setHaving(having.toSpliced(index, 1))}>
              <IconX size={16} aria-hidden />
            </IconButton>
          </div>
        );
      })}
      {added && having.length < breakdownLimits.conditions && (
        <div>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setHaving([...having, { measure: added.value, operator: ">=", value: 100 }])}
          >
            Add condition
          </Button>
        </div>
      )}
    </>
  );
}
