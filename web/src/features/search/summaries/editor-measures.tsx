import { breakdownLimits, type BreakdownMeasure } from "@fairway/contract/breakdowns";
import { operator as comparison } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { aggregationName } from "./model/measure-wording.ts";
import { type MeasureChoice, choiceOf, choices, columnsFor, newMeasure, withChoice } from "./model/measure-choices.ts";
import { type Asked, withMeasure, withoutMeasure } from "./model/summary.ts";
import classes from "./summaries.module.css";

interface Props {
  description: DatasetDescription;
  asked: Asked;
  onChange: (asked: Asked) => void;
}

/** The figures of each group. */
export function Measures({ description, asked, onChange }: Props) {
  const { measures } = asked;
  return (
    <>
      {measures.map((measure, index) => {
        const number = `${index + 1}`;
        const columns = columnsFor(measure.aggregation, description);
        const set = (changed: BreakdownMeasure) => onChange(withMeasure(asked, index, changed));
        return (
          <div key={number} role="group" aria-label={`measure ${number}`}>
            <div className={classes["measure"]}>
              <NativeSelect
                aria-label="Aggregation"
                value={choiceOf(measure)}
                onChange={(event) => set(withChoice(measure, event.currentTarget.value, description))}
                data={choices
                  .filter((choice) => columnsFor(choice.aggregation, description).length > 0)
                  .map((choice: MeasureChoice) => ({ value: choice.value, label: aggregationName(choice) }))}
              />
              <NativeSelect
                aria-label="Column"
                value={measure.column ?? "*"}
                onChange={(event) => set({ ...measure, column: event.currentTarget.value })}
                data={columns.map((name) => ({ value: name, label: name === "*" ? "rows" : name }))}
              />
              <IconButton
                label={`Remove measure ${number}`}
                disabled={measures.length === 1}
                onClick={() => onChange(withoutMeasure(asked, index))}
              >
                <IconX size={16} aria-hidden />
              </IconButton>
            </div>
            {measure.aggregation === "rate" && <RateCondition description={description} measure={measure} onChange={set} />}
          </div>
        );
      })}
      {measures.length < breakdownLimits.measures && (
        <div>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange({ ...asked, measures: [...measures, newMeasure(measures, description)] })}
          >
            Add measure
          </Button>
        </div>
      )}
    </>
  );
}

/** The condition of the rows whose part of the group a rate is. */
function RateCondition({
  description,
  measure,
  onChange,
}: {
  description: DatasetDescription;
  measure: BreakdownMeasure;
  onChange: (measure: BreakdownMeasure) => void;
}) {
  const [condition] = measure.where ?? [];
  if (!condition) return null;
  const set = (changes: Partial<typeof condition>) => onChange({ ...measure, where: [{ ...condition, ...changes }] });
  return (
    <div className={classes["condition"]} data-where>
      <NativeSelect
        aria-label="Column of the rate"
        value={condition.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data={columnsFor("distinct", description)}
      />
      <NativeSelect
        aria-label="Operator of the rate"
        value={condition.operator}
        onChange={(event) => set({ operator: event.currentTarget.value })}
        data={[...comparison.options]}
      />
      <TextInput
        aria-label="Value of the rate"
        value={typeof condition.value === "object" ? "" : String(condition.value)}
        onChange={(event) => set({ value: event.currentTarget.value })}
      />
    </div>
  );
}
