import { breakdownLimits, type BreakdownMeasure } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { columnTitleIn } from "@fairway/contract/columns";
import { labeledBreakdown, measureLabel } from "@fairway/contract/charts/measure-wording";
import { choiceLabel, choiceOf, choices, columnsFor, newMeasure, partsFor, withChoice } from "./model/measure-choices.ts";
import { type Asked, measureId } from "@fairway/contract/charts/asked";
import { withMeasure, withoutMeasure } from "./model/summary.ts";
import { ConditionsField } from "./conditions-field.tsx";
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
        const place = `${index} of ${measures.length}`;
        return (
          <Measure
            key={place}
            description={description}
            asked={asked}
            index={index}
            measure={measure}
            onChange={(changed) => onChange(withMeasure(asked, index, changed))}
            onRemove={() => onChange(withoutMeasure(asked, index))}
          />
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

interface MeasureProps {
  description: DatasetDescription;
  asked: Asked;
  index: number;
  measure: BreakdownMeasure;
  onChange: (measure: BreakdownMeasure) => void;
  onRemove: () => void;
}

function Measure({ description, asked, index, measure, onChange, onRemove }: MeasureProps) {
  const number = `${index + 1}`;
  const parts = partsFor(asked, index);
  const labeled = partsFor(labeledBreakdown(asked, description.schema.columns), index);
  const [isConditional, setConditional] = useState(() => (measure.where ?? []).length > 0);
  const isRate = measure.aggregation === "rate";
  const offered = choices.filter((choice) =>
    typeof choice.of === "object"
      ? parts.length > 1 || choice.value === choiceOf(measure)
      : columnsFor(choice.aggregation, description).length > 0 && (choice.of === undefined || (asked.by ?? []).length === 2),
  );
  return (
    <Stack gap={4} role="group" aria-label={`measure ${number}`}>
      <div className={classes["measure"]}>
        <NativeSelect
          aria-label="Aggregation"
          value={choiceOf(measure)}
          onChange={(event) => onChange(withChoice(measure, event.currentTarget.value, description, parts))}
          data={offered.map((choice) => ({ value: choice.value, label: choiceLabel(choice) }))}
        />
        {typeof measure.of === "object" ? (
          <span />
        ) : (
          <NativeSelect
            aria-label="Column"
            value={measure.column ?? "*"}
            onChange={(event) => onChange({ ...measure, column: event.currentTarget.value })}
            data={columnsFor(measure.aggregation, description).map((name) => ({
              value: name,
              label: name === "*" ? "rows" : columnTitleIn(description.schema.columns, name),
            }))}
          />
        )}
        <IconButton
          label={`Condition of measure ${number}`}
          aria-pressed={isConditional || isRate}
          disabled={isRate || typeof measure.of === "object"}
          onClick={() => {
            const { where: _, ...whole } = measure;
            if (isConditional) onChange(whole);
            setConditional(!isConditional);
          }}
        >
          <IconFilter size={16} aria-hidden />
        </IconButton>
        <IconButton label={`Remove measure ${number}`} disabled={asked.measures.length === 1} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {typeof measure.of === "object" && (
        <div className={classes["two"]}>
          {measure.of.map((part, place) => (
            <NativeSelect
              key={place === 0 ? "first" : "second"}
              aria-label={place === 0 ? "First measure" : "Second measure"}
              value={part}
              onChange={(event) => {
                const [first, second] = measure.of as [string, string];
                const chosen = event.currentTarget.value;
                onChange({ ...measure, of: place === 0 ? [chosen, second] : [first, chosen] });
              }}
              data={labeled.map((one) => ({ value: measureId(one), label: measureLabel(one) }))}
            />
          ))}
        </div>
      )}
      {(isConditional || isRate) && (
        <ConditionsField
          key={isRate ? "rate" : "where"}
          description={description}
          label={isRate ? `Rows that count in measure ${number}` : `Only rows of measure ${number}`}
          isRequired={isRate}
          filters={measure.where ?? []}
          onChange={(where) => onChange({ ...measure, where })}
        />
      )}
    </Stack>
  );
}
