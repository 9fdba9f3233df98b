import { formatList, plural } from "@fairway/contract/counts";
import { derivedColumnLimits, type Lookup } from "@fairway/contract/derived-columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useResultZone } from "#lib/time/result-zone.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { freeLookupId, type LookupDraft } from "#parts/lookup/lookup-draft.ts";
import { LookupFields } from "#parts/lookup/lookup-fields.tsx";
import { type Confirmation, confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { computedFrom } from "./computed-draft.ts";
import { plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { Fields, fieldProblem, FormSection } from "./form-fields.tsx";
import { useLookedUpColumns } from "./looked-up-columns.ts";
import { StoredWarning } from "./stored-warning.tsx";
import classes from "./dataset-form.module.css";

/** Columns of other datasets, found by a key. */
export function LookupsSection() {
  const { draft, update } = useDatasetForm();
  const lookups = draft.lookups ?? [];
  const { data: categories = [] } = useQuery(datasetsQuery);
  const stored = categories
    .flatMap((category) => category.datasets)
    .find(({ datasetCategory, datasetId }) => datasetCategory === draft.category && datasetId === draft.id);
  const subject = stored === undefined ? null : { datasetCategory: stored.datasetCategory, datasetId: stored.datasetId };
  const lookedUp = useLookedUpColumns();
  /** Columns that formulas use are removed only when the user knows. */
  const change = async (index: number, changed: Lookup | null) => {
    const kept = changed?.columns ?? [];
    const before = lookups[index]?.columns ?? [];
    const gone = before.flatMap(({ name }) => (kept.some((one) => one.name === name) ? [] : [name]));
    // A new name is typed letter by letter, and the formulas say that it is missing.
    const computed = kept.length < before.length ? computedFrom(new Set(gone), draft, lookedUp) : [];
    if (computed.length > 0 && !(await confirm(removalQuestion(gone, computed)))) return;
    set((list) => (changed === null ? list.toSpliced(index, 1) : list.with(index, changed)));
  };
  const set = (apply: (lookups: Lookup[]) => Lookup[]) => update((now) => ({ lookups: apply([...(now.lookups ?? [])]) }));
  return (
    <FormSection id="lookups" about="A row gets values of the row with the same key in another dataset. The number of rows stays the same.">
      <Fields>
        {lookups.map((lookup, index) => (
          <LookupOfDataset
            key={lookup.id}
            lookup={lookup}
            index={index}
            subject={subject}
            onChange={(changed) => void change(index, changed)}
            onRemove={() => void change(index, null)}
          />
        ))}
        {lookups.length < derivedColumnLimits.lookupsOfDataset && categories.length > 0 && (
          <Group>
            <Button
              variant="subtle"
              size="compact-md"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => set((list) => [...list, { id: freeLookupId(list), dataset: unchosen, key: [], columns: [] }])}
            >
              Look up columns
            </Button>
          </Group>
        )}
      </Fields>
    </FormSection>
  );
}

const inQuotes = (names: readonly string[]): string => formatList(names.map((name) => `'${name}'`));

const removalQuestion = (gone: readonly string[], computed: readonly string[]): Confirmation => ({
  title: `Remove ${inQuotes(gone)}?`,
  text: `${plural(computed.length, "The formula", "The formulas")} of ${inQuotes(computed)} ${plural(computed.length, "uses", "use")} ${plural(gone.length, "it", "them")}, and must be changed before the dataset can be saved.`,
  confirmLabel: "Remove",
});

const unchosen: DatasetRef = { datasetCategory: "", datasetId: "" };

interface Props {
  lookup: Lookup;
  index: number;
  subject: DatasetRef | null;
  onChange: (lookup: Lookup) => void;
  onRemove: () => void;
}

function LookupOfDataset({ lookup, index, subject, onChange, onRemove }: Props) {
  const { draft, problems } = useDatasetForm();
  const zone = useResultZone();
  const ours = plainColumns(draft).filter(({ computed }) => computed === undefined);
  const others = (draft.lookups ?? []).filter(({ id }) => id !== lookup.id);
  const taken = [...draft.schema.columns, ...others.flatMap(({ columns }) => columns)].map(({ name }) => name.toLowerCase());
  const edited: LookupDraft = {
    ...lookup,
    dataset: lookup.dataset.datasetId === "" ? null : lookup.dataset,
    match: lookup.match ?? "exact",
  };
  return (
    <div className={classes["filter"]} role="group" aria-label={`Lookup ${index + 1}`}>
      <StoredWarning path={["lookups", index]} />
      <LookupFields
        draft={edited}
        onChange={({ dataset, match, key, columns }) =>
          onChange({
            ...lookup,
            dataset: dataset ?? unchosen,
            ...(match === "exact" && lookup.match === undefined ? {} : { match }),
            key: [...key],
            columns: [...columns],
          })
        }
        subject={{ dataset: subject, columns: ours }}
        taken={new Set(taken)}
        name={`lookup ${index + 1}`}
        zone={zone}
        marks={(path) => fieldProblem(problems, ["lookups", index, ...path])}
        aside={
          <IconButton label={`Remove lookup ${index + 1}`} onClick={onRemove}>
            <IconX size={16} aria-hidden />
          </IconButton>
        }
      />
    </div>
  );
}
