import { operator, type Operator } from "@fairway/contract/columns";
import { NativeSelect, TextInput } from "@mantine/core";
import type { DialogForm } from "#ui/kit/use-dialog-form.ts";
import { type AlertForm, measureOf } from "./alert-form.ts";
import classes from "./alerts.module.css";

/** The fields of a condition on a figure, of all rows or of each group. */
export function FigureFields({ form: { field, set, values } }: { form: Pick<DialogForm<AlertForm>, "field" | "set" | "values"> }) {
  const isWrongLimit = values.limit.trim() !== "" && !Number.isFinite(Number(values.limit));
  const isWrongLeast = values.leastRows.trim() !== "" && !/^[1-9]\d{0,11}$/.test(values.leastRows.trim());
  return (
    <>
      {values.kind === "groups" && (
        <div className={classes["fields"]}>
          <TextInput label="Of each value of" description="Name of a column." required {...field("by")} autoComplete="off" />
          <TextInput
            label="With at least so many rows"
            description="Empty for any number."
            inputMode="numeric"
            {...field("leastRows")}
            error={isWrongLeast ? "A whole number of at least 1" : undefined}
            autoComplete="off"
          />
        </div>
      )}
      <TextInput
        label="Figure"
        description="Such as avg(delay), p90(delay) or count(*)."
        required
        {...field("figure")}
        error={values.figure.trim() !== "" && measureOf(values) === null ? "Not a figure such as avg(delay)" : undefined}
        autoComplete="off"
      />
      <div className={classes["fields"]}>
        <NativeSelect
          label="Operator"
          data={operator.options}
          value={values.operator}
          onChange={(event) => set({ operator: event.currentTarget.value as Operator })}
        />
        <TextInput
          label="Limit"
          required
          inputMode="decimal"
          {...field("limit")}
          error={isWrongLimit ? "A number" : undefined}
          autoComplete="off"
        />
      </div>
    </>
  );
}
