import { breakdownLimits } from "@fairway/contract/breakdowns";
import { operator as comparison } from "@fairway/contract/columns";
import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { measureLabel } from "@fairway/contract/charts/measure-wording";
import { type Asked, type Condition, measureId } from "@fairway/contract/charts/asked";
import { groupingIds } from "./model/summary.ts";
import classes from "./summaries.module.css";

/** Conditions that groups have to meet. All of them have to hold. */
export function Conditions({ asked, onChange }: { asked: Asked; onChange: (asked: Asked) => void }) {
  const { having = [], measures, by = [] } = asked;
  const setHaving = (next: readonly Condition[]) => onChange({ ...asked, having: [...next] });
  const counts = measures.find((measure) => measureId(measure) === "count(*)") ?? measures[0];
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
              data={measures.map((measure) => ({ value: measureId(measure), label: measureLabel(measure) }))}
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
      {counts && having.length < breakdownLimits.conditions && (
        <div>
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setHaving([...having, { measure: measureId(counts), operator: ">=", value: 100 }])}
          >
            Add condition
          </Button>
        </div>
      )}
    </>
  );
}
