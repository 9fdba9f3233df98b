import { Button, TextInput } from "@mantine/core";
import type { Column } from "@fairway/contract/columns";
import { type ComputedColumn, derivedColumnLimits } from "@fairway/contract/derived-columns";
import type { ResultRow } from "@fairway/contract/search";
import { check } from "@fairway/expressions/check";
import { type ReactNode, useState } from "react";
import { utc } from "#lib/time/time-zone.ts";
import { Failure, FormDialog, NameInput } from "#ui/kit/form-dialog.tsx";
import { FormulaFields } from "./formula-fields.tsx";
import { plainColumns } from "./formula-preview.ts";

export interface AddColumnProps {
  opened: boolean;
  onClose: () => void;
  /** Columns that the formula may use; combined ones are left out. */
  columns: readonly Column[];
  /** Names that the column may not have, in any case. */
  takenNames: readonly string[];
  /** Rows for the preview. */
  rows: readonly ResultRow[];
  /** Zone in which the preview shows moments. */
  zone?: string;
  /** A column to change. */
  initial?: ComputedColumn;
  title?: string;
  /** Above the fields. */
  head?: ReactNode;
  saveLabel?: string;
  /** Closes the dialog itself. If it rejects, the dialog says why and stays open. */
  onSave: (column: ComputedColumn) => unknown;
  /** Makes it a column of the dataset, for those who may change that; likewise. */
  onKeep?: ((column: ComputedColumn) => Promise<unknown>) | undefined;
}

interface Values {
  name: string;
  expression: string;
  unit: string;
}

const keepLabel = "Keep in the dataset";

/** A name, a formula with its preview, and a unit. */
export function AddColumnDialog({
  opened,
  onClose,
  columns,
  takenNames,
  rows,
  zone = utc,
  initial,
  title = "Add column",
  saveLabel = title,
  head,
  onSave,
  onKeep,
}: AddColumnProps) {
  const [isKeeping, setKeeping] = useState(false);
  const columnOf = ({ name, expression, unit }: Values): ComputedColumn => ({
    name: name.trim(),
    expression: expression.trim(),
    ...(unit.trim() === "" ? {} : { unit: unit.trim() }),
    ...(initial?.label === undefined ? {} : { label: initial.label }),
  });
  const usable = plainColumns(columns);
  const isTaken = (name: string) => takenNames.some((taken) => taken.toLowerCase() === name.trim().toLowerCase());
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={title}
      size={600}
      fillsPhone
      initial={{ name: initial?.name ?? "", expression: initial?.expression ?? "", unit: initial?.unit ?? "" }}
      saveLabel={saveLabel}
      canSave={({ name, expression }) => name.trim() !== "" && !isTaken(name) && check(expression, usable).tree !== undefined}
      save={(values) => {
        setKeeping(false);
        return onSave(columnOf(values));
      }}
      renderFailure={(error) => <Failure label={isKeeping ? keepLabel : saveLabel} error={error} />}
      renderAside={({ canSave, saving, submit }) =>
        onKeep && (
          <Button
            variant="subtle"
            disabled={!canSave || saving}
            onClick={() => {
              setKeeping(true);
              submit((values) => onKeep(columnOf(values)));
            }}
          >
            {keepLabel}
          </Button>
        )
      }
    >
      {({ values, field, set, canSave, submit }) => (
        <>
          {head}
          <NameInput
            {...field("name")}
            maxLength={derivedColumnLimits.nameCharacters}
            error={isTaken(values.name) ? `There is another column '${values.name.trim()}'.` : field("name").error}
          />
          <FormulaFields
            name={values.name}
            text={values.expression}
            onChange={(expression) => set({ expression })}
            onSubmit={() => canSave && submit()}
            columns={usable}
            rows={rows}
            zone={zone}
          />
          <TextInput
            label="Unit"
            description="Optional"
            {...field("unit")}
            maxLength={derivedColumnLimits.unitCharacters}
            autoComplete="off"
          />
        </>
      )}
    </FormDialog>
  );
}
