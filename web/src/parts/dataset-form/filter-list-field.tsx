import type { FieldFilter } from "@fairway/contract/datasets";
import { Button, Checkbox } from "@mantine/core";
import { FilterField } from "#parts/filters/filter-field.tsx";
import { isCompared } from "#parts/search-model/form-filter.ts";
import { columnFilter } from "#parts/search-model/filter-list.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { ChoiceField, columnOptions, TextField } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

interface Props {
  list: "staticFilters" | "preFilledFilters" | "additionalFilters";
  title: string;
  about: string;
  /** Label of the button. */
  add: string;
}

/** Filters of one kind, each with its column, operator and value as a search form has them. */
export function FilterList({ list, title, about, add }: Props) {
  const { draft, update } = useDatasetForm();
  const filters = draft.filterSupport[list];
  const columns = plainColumns(draft);
  // The search form holds those of several lists.
  const allFilters = [
    ...draft.filterSupport.staticFilters,
    ...draft.filterSupport.preFilledFilters,
    ...draft.filterSupport.additionalFilters,
  ];
  const set = (change: (filters: FieldFilter[]) => FieldFilter[]) =>
    update(({ filterSupport }) => ({ filterSupport: { ...filterSupport, [list]: change(filterSupport[list]) } }));
  const [first] = columns;
  return (
    <fieldset className={classes["list"]}>
      <legend>{title}</legend>
      <p className={classes["about"]}>{about}</p>
      {filters.map((filter, index) => (
        <div key={filter.id} className={classes["filter"]} role="group" aria-label={`${title}: ${filter.display}`}>
          <div className={classes["pair"]}>
            <ChoiceField
              path={["filterSupport", list, index, "name"]}
              label="Column"
              value={filter.name}
              options={columnOptions(columns)}
              onChoice={(name) => {
                const column = columns.find((one) => one.name === name);
                if (column)
                  set((now) =>
                    now.with(index, { ...columnFilter(column, []), id: filter.id, required: filter.required, preFilled: filter.preFilled }),
                  );
              }}
            />
            <TextField
              path={["filterSupport", list, index, "display"]}
              label="Name of the field"
              value={filter.display}
              onText={(display) => set((now) => now.with(index, { ...filter, display }))}
            />
          </div>
          <FilterField
            // A locked one is shown without its fields.
            filter={{ ...filter, preFilled: false }}
            columns={columns}
            unit={columns.find(({ name }) => name === filter.name)?.unit}
            showProblems
            onChange={(changed) => {
              if (isCompared(changed)) set((now) => now.with(index, { ...changed, preFilled: filter.preFilled }));
            }}
            onRemove={() => set((now) => now.toSpliced(index, 1))}
          />
          {list === "staticFilters" && (
            <Checkbox
              label="Required"
              checked={filter.required}
              onChange={(event) => {
                const required = event.currentTarget.checked;
                set((now) => now.with(index, { ...filter, required }));
              }}
            />
          )}
        </div>
      ))}
      {first && (
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => set((now) => [...now, { ...columnFilter(first, allFilters), preFilled: list === "preFilledFilters" }])}
        >
          {add}
        </Button>
      )}
    </fieldset>
  );
}
