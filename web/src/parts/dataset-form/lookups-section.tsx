import { derivedColumnLimits, type Lookup } from "@fairway/contract/derived-columns";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { Button, Checkbox, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetsQuery, describeQuery } from "#parts/dataset-picker/queries.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { ChoiceField, columnOptions, Fields, FormSection, TextField } from "./form-fields.tsx";
import { proposedKey, withColumn } from "./lookup-draft.ts";
import classes from "./dataset-form.module.css";

/** Columns of other datasets, found by a key. */
export function LookupsSection() {
  const { draft, update } = useDatasetForm();
  const lookups = draft.lookups ?? [];
  const { data: categories = [] } = useQuery(datasetsQuery);
  const datasets = categories
    .flatMap((category) => category.datasets)
    .filter(({ datasetCategory, datasetId }) => datasetCategory !== draft.category || datasetId !== draft.id);
  const set = (change: (lookups: Lookup[]) => Lookup[]) => update((now) => ({ lookups: change([...(now.lookups ?? [])]) }));
  return (
    <FormSection
      id="lookups"
      about="A row gets values of the row with the same key in another dataset. There are never more rows for it, nor fewer."
    >
      <Fields>
        {lookups.map((lookup, index) => (
          <LookupFields
            key={lookup.id}
            lookup={lookup}
            index={index}
            datasets={datasets}
            onChange={(changed) => set((list) => list.with(index, changed))}
            onRemove={() => set((list) => list.toSpliced(index, 1))}
          />
        ))}
        {lookups.length < derivedColumnLimits.lookupsOfDataset && datasets.length > 0 && (
          <Group>
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => set((list) => [...list, newLookup(list)])}
            >
              Look up columns
            </Button>
          </Group>
        )}
      </Fields>
    </FormSection>
  );
}

function newLookup(lookups: readonly Lookup[]): Lookup {
  const taken = new Set(lookups.map(({ id }) => id));
  let number = 1;
  while (taken.has(`lookup-${number}`)) number += 1;
  return { id: `lookup-${number}`, dataset: { datasetCategory: "", datasetId: "" }, key: [], columns: [] };
}

interface Props {
  lookup: Lookup;
  index: number;
  datasets: readonly DatasetRef[];
  onChange: (lookup: Lookup) => void;
  onRemove: () => void;
}

function LookupFields({ lookup, index, datasets, onChange, onRemove }: Props) {
  const { draft } = useDatasetForm();
  const { dataset, key, columns } = lookup;
  const isChosen = dataset.datasetId !== "";
  const { data: target } = useQuery({ ...describeQuery(dataset.datasetCategory, dataset.datasetId), enabled: isChosen, retry: false });
  const others = target?.schema.columns.filter(({ combined }) => combined === null) ?? [];
  const own = plainColumns(draft).filter(({ computed }) => computed === undefined);
  const path = ["lookups", index];
  // By names, until one is chosen.
  const pairs = key.length > 0 ? key : proposedKey(own, others);
  const taken = new Set(draft.schema.columns.map(({ name }) => name.toLowerCase()));
  return (
    <div className={classes["filter"]} role="group" aria-label={`Lookup ${index + 1}`}>
      <div className={classes["listRow"]}>
        <ChoiceField
          path={[...path, "dataset"]}
          label="Dataset"
          value={isChosen ? datasetKey(dataset) : null}
          options={datasets.map((one) => ({ value: datasetKey(one), label: `${one.datasetId} (${one.datasetCategory})` }))}
          onChoice={(chosen) => {
            const found = datasets.find((one) => datasetKey(one) === chosen);
            if (found) {
              const { datasetCategory, datasetId } = found;
              onChange({ ...lookup, dataset: { datasetCategory, datasetId }, key: [], columns: [] });
            }
          }}
        />
        <IconButton label={`Remove lookup ${index + 1}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {others.length > 0 && (
        <>
          {pairs.map(({ column, on }, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- pairs have no other key
            <div key={at} className={classes["listRow"]} role="group" aria-label={`Key ${at + 1} of lookup ${index + 1}`}>
              <ChoiceField
                path={[...path, "key", at, "column"]}
                label="Column here"
                value={column}
                options={columnOptions(own)}
                onChoice={(name) => name !== null && onChange({ ...lookup, key: pairs.with(at, { column: name, on }) })}
              />
              <ChoiceField
                path={[...path, "key", at, "on"]}
                label={`Equals in ${dataset.datasetId}`}
                value={on}
                options={columnOptions(others)}
                onChoice={(name) => name !== null && onChange({ ...lookup, key: pairs.with(at, { column, on: name }) })}
              />
            </div>
          ))}
          <Checkbox
            label="Ignore case and outer spaces"
            checked={lookup.match === "loose"}
            onChange={(event) => onChange({ ...lookup, match: event.currentTarget.checked ? "loose" : "exact" })}
          />
          <div role="group" aria-label={`Columns of lookup ${index + 1}`} className={classes["picked"]}>
            {others.map((column) => {
              const at = columns.findIndex(({ from }) => from === column.name);
              const picked = columns[at];
              return (
                <div key={column.name} className={classes["pickedRow"]}>
                  <Checkbox
                    label={column.name}
                    checked={picked !== undefined}
                    disabled={picked === undefined && columns.length >= derivedColumnLimits.lookupColumns}
                    onChange={(event) =>
                      onChange(withColumn({ ...lookup, key: [...pairs] }, column.name, event.currentTarget.checked, taken))
                    }
                  />
                  {picked && (
                    <TextField
                      path={[...path, "columns", at, "name"]}
                      aria-label={`Name of ${column.name} here`}
                      size="xs"
                      value={picked.name}
                      onText={(name) => onChange({ ...lookup, columns: columns.with(at, { ...picked, name }) })}
                    />
                  )}
                </div>
              );
            })}
          </div>
        </>
      )}
    </div>
  );
}
