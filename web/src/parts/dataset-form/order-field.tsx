import { Button } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { type DatasetDraft, plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { ChoiceField, columnOptions } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

type SortKeys = NonNullable<DatasetDraft["orderBy"]>;

const directions = [
  { value: "asc", label: "Ascending" },
  { value: "desc", label: "Descending" },
] as const;

/** The order of rows unless a search has its own. */
export function OrderField() {
  const { draft, update } = useDatasetForm();
  const keys = draft.orderBy ?? [];
  const columns = plainColumns(draft);
  const set = (change: (keys: SortKeys) => SortKeys) =>
    update(({ orderBy }) => {
      const next = change(orderBy ?? []);
      return { orderBy: next.length === 0 ? null : next };
    });
  const next = columns.find(({ name }) => !keys.some(({ column }) => column === name));
  return (
    <fieldset className={classes["list"]}>
      <legend>Order of rows</legend>
      {keys.length === 0 && (
        <p className={classes["about"]}>{draft.temporalField === null ? "As they are in the data." : "The newest first."}</p>
      )}
      {keys.map((key, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a column may be given twice while it is edited
        <div key={index} className={classes["listRow"]}>
          <ChoiceField
            path={["orderBy", index, "column"]}
            aria-label={`Column ${index + 1} of the order`}
            value={key.column}
            options={columnOptions(columns)}
            onChoice={(column) => column !== null && set((list) => list.with(index, { ...key, column }))}
          />
          <ChoiceField
            path={["orderBy", index, "direction"]}
            aria-label={`Direction of ${key.column}`}
            value={key.direction}
            options={directions}
            onChoice={(chosen) => set((list) => list.with(index, { ...key, direction: chosen === "desc" ? "desc" : "asc" }))}
          />
          {index > 0 && (
            <IconButton
              label={`Order by ${key.column} earlier`}
              onClick={() => set((list) => list.toSpliced(index, 1).toSpliced(index - 1, 0, key))}
            >
              <IconArrowUp size={16} aria-hidden />
            </IconButton>
          )}
          <IconButton label={`Remove ${key.column} from the order`} onClick={() => set((list) => list.toSpliced(index, 1))}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {next && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set((list) => [...list, { column: next.name, direction: "asc" }])}
        >
          Order by a column
        </Button>
      )}
    </fieldset>
  );
}
