import type { Column } from "@fairway/contract/columns";
import { derivedColumnLimits } from "@fairway/contract/derived-columns";
import { check } from "@fairway/expressions/check";
import type { ResultRow } from "@fairway/contract/search";
import { Button, Group, Input } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { utc } from "#lib/time/time-zone.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { FormulaEditor } from "#parts/formula/islands.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { withChange } from "./column-moves.ts";
import { withComputed, withEarlier, withExpression } from "./computed-draft.ts";
import type { DatasetDraft } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { Fields, FormSection, TextField, useFieldProblem } from "./form-fields.tsx";
import { StoredWarning } from "./stored-warning.tsx";
import classes from "./dataset-form.module.css";

/** Columns whose values are computed from others of the same row. */
export function ComputedSection() {
  const { draft, update } = useDatasetForm();
  const { columns } = draft.schema;
  const lookedUp = useLookedUp(draft);
  const computed = columns.flatMap((column, index) => (column.computed === undefined ? [] : [{ column, index }]));
  return (
    <FormSection id="computed" about="A formula may use the columns of the row, looked-up ones, and computed ones above it.">
      <Fields>
        {computed.map(({ column, index }, place) => (
          <ComputedFields
            // oxlint-disable-next-line react/no-array-index-key -- its name is edited
            key={place}
            column={column}
            index={index}
            isFirst={place === 0}
            usable={[...columns.filter((one, at) => one.combined === null && (one.computed === undefined || at < index)), ...lookedUp]}
            lookedUp={lookedUp}
          />
        ))}
        {computed.length < derivedColumnLimits.computedOfDataset && (
          <Group>
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => update(withComputed)}
            >
              Add a computed column
            </Button>
          </Group>
        )}
      </Fields>
    </FormSection>
  );
}

interface Props {
  column: Column;
  /** Among all columns. */
  index: number;
  isFirst: boolean;
  /** Columns that the formula may name. */
  usable: readonly Column[];
  lookedUp: readonly Column[];
}

const noRows: readonly ResultRow[] = [];

function ComputedFields({ column, index, isFirst, usable, lookedUp }: Props) {
  const { update, preview } = useDatasetForm();
  const expression = column.computed?.expression ?? "";
  const path = ["schema", "columns", index];
  const checked = useMemo(() => (expression.trim() === "" ? null : check(expression, usable)), [expression, usable]);
  const set = (change: (column: Column) => Column) =>
    update(({ schema }) => ({ schema: { ...schema, columns: schema.columns.map((one, at) => (at === index ? change(one) : one)) } }));
  const problem = useFieldProblem([...path, "computed", "expression"]);
  // The rows have the stored values of such columns, if any, and not those of the draft.
  const isOfDerived = usable.some(
    (one) => (one.computed !== undefined || lookedUp.includes(one)) && expression.toLowerCase().includes(one.name.toLowerCase()),
  );
  const rows = isOfDerived ? noRows : (preview.rows ?? noRows);
  const named = column.name === "" ? "the new column" : column.name;
  return (
    <div className={classes["filter"]} role="group" aria-label={`Computed column ${column.name}`}>
      <div className={classes["listRow"]}>
        <TextField path={[...path, "name"]} label="Name" value={column.name} onText={(name) => set((one) => ({ ...one, name }))} />
        <TextField
          path={[...path, "label"]}
          label="Label"
          value={column.label ?? ""}
          onText={(label) => set((one) => withChange(one, { label }))}
        />
        <TextField
          path={[...path, "unit"]}
          label="Unit"
          value={column.unit ?? ""}
          onText={(unit) => set((one) => withChange(one, { unit }))}
        />
        {!isFirst && (
          <IconButton label={`Compute ${named} earlier`} onClick={() => update((now) => withEarlier(now, index))}>
            <IconArrowUp size={16} aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={`Remove ${named}`}
          onClick={() => update(({ schema }) => ({ schema: { ...schema, columns: schema.columns.toSpliced(index, 1) } }))}
        >
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {checked?.errors === undefined && <StoredWarning path={path} />}
      <div data-path={problem["data-path"]}>
        <FormulaEditor
          name={column.name}
          text={expression}
          onChange={(text) => set((one) => withExpression(one, text, usable))}
          onSubmit={() => undefined}
          columns={usable}
          rows={rows}
          zone={utc}
        />
        {problem.error !== undefined && checked?.errors === undefined && <Input.Error>{problem.error}</Input.Error>}
      </div>
    </div>
  );
}

/** The looked-up columns, as far as the other datasets are known. */
function useLookedUp({ lookups = [] }: DatasetDraft): Column[] {
  const described = useQueries({
    queries: lookups.map(({ dataset }) => ({ ...describeQuery(dataset.datasetCategory, dataset.datasetId), retry: false })),
  });
  return lookups.flatMap((lookup, index) =>
    lookup.columns.flatMap(({ from, name }) => {
      const column = described[index]?.data?.schema.columns.find((one) => one.name === from);
      return column ? [{ ...column, name }] : [];
    }),
  );
}
