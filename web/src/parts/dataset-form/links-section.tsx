import { operator } from "@fairway/contract/columns";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { datasetsQuery, describeQuery } from "#parts/dataset-picker/queries.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconX } from "#ui/icons/x.ts";
import { type DatasetDraft, plainColumns } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import { Fields, ChoiceField, columnOptions, FormSection, TextField } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

type Link = DatasetDraft["linkedDatasets"][number];
type LinkFilter = Link["filters"][number];

/** Ways from a row to the rows of other datasets. */
export function LinksSection() {
  const { draft, update } = useDatasetForm();
  const set = (change: (links: Link[]) => Link[]) => update(({ linkedDatasets }) => ({ linkedDatasets: change(linkedDatasets) }));
  const links = draft.linkedDatasets;
  return (
    <FormSection id="links" about="From the menu of a row, people go on to the rows of another dataset that belong to it.">
      <Fields>
        {links.map((link, index) => (
          <LinkFields
            // oxlint-disable-next-line react/no-array-index-key -- two links may be the same while they are edited
            key={index}
            link={link}
            index={index}
            onChange={(changed) => set((list) => list.with(index, changed))}
            onRemove={() => set((list) => list.toSpliced(index, 1))}
          />
        ))}
        <Group>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => set((list) => [...list, { datasetCategory: "", datasetId: "", display: "", filters: [] }])}
          >
            Add a link
          </Button>
        </Group>
      </Fields>
    </FormSection>
  );
}

interface LinkProps {
  link: Link;
  index: number;
  onChange: (link: Link) => void;
  onRemove: () => void;
}

function LinkFields({ link, index, onChange, onRemove }: LinkProps) {
  const { draft } = useDatasetForm();
  const { data: categories = [] } = useQuery(datasetsQuery);
  const datasets = categories.flatMap((category) => category.datasets);
  const isChosen = link.datasetId !== "";
  const { data: target, error } = useQuery({ ...describeQuery(link.datasetCategory, link.datasetId), enabled: isChosen, retry: false });
  const targets = target?.schema.columns.filter(({ combined }) => combined === null) ?? [];
  const path = ["linkedDatasets", index];
  const own = plainColumns(draft);
  const setFilter = (at: number, filter: LinkFilter) => onChange({ ...link, filters: link.filters.with(at, filter) });
  return (
    <div className={classes["filter"]} role="group" aria-label={`Link ${index + 1}`}>
      <div className={classes["listRow"]}>
        <ChoiceField
          path={[...path, "datasetId"]}
          label="Dataset"
          value={isChosen ? datasetKey(link) : null}
          options={optionsOf(datasets)}
          onChoice={(key) => {
            const chosen = datasets.find((one) => datasetKey(one) === key);
            if (!chosen) return;
            const { datasetCategory, datasetId } = chosen;
            onChange({ ...link, datasetCategory, datasetId, display: link.display === "" ? datasetId : link.display, filters: [] });
          }}
        />
        <TextField path={[...path, "display"]} label="Text" value={link.display} onText={(display) => onChange({ ...link, display })} />
        <IconButton label={`Remove link ${index + 1}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {error !== null && (
        <p role="note" className={classes["warning"]}>
          {messagesOf(error).join(" ")}
        </p>
      )}
      {link.filters.map((filter, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a column may be filtered twice
        <div key={at} className={classes["listRow"]} role="group" aria-label={`Condition ${at + 1} of link ${index + 1}`}>
          <ChoiceField
            path={[...path, "filters", at, "name"]}
            aria-label="Column of that dataset"
            value={filter.name}
            options={columnOptions(targets)}
            onChoice={(name) => name !== null && setFilter(at, { ...filter, name })}
          />
          <ChoiceField
            path={[...path, "filters", at, "operator"]}
            aria-label="Operator"
            value={filter.operator}
            options={operator.options.map((sign) => ({ value: sign, label: sign }))}
            onChoice={(sign) => setFilter(at, { ...filter, operator: operator.options.find((one) => one === sign) ?? "=" })}
          />
          <ChoiceField
            path={[...path, "filters", at, "fromColumn"]}
            aria-label="Column of the row"
            none="a fixed value"
            value={filter.fromColumn ?? null}
            options={columnOptions(own)}
            onChoice={(name) => {
              const { fromColumn: _, value: _value, ...rest } = filter;
              setFilter(at, name === null ? { ...rest, value: "" } : { ...rest, fromColumn: name });
            }}
          />
          {filter.fromColumn === undefined && (
            <TextField
              path={[...path, "filters", at, "value"]}
              aria-label="Value"
              value={String(filter.value ?? "")}
              onText={(value) => setFilter(at, { ...filter, value })}
            />
          )}
          <IconButton
            label={`Remove condition ${at + 1} of link ${index + 1}`}
            onClick={() => onChange({ ...link, filters: link.filters.toSpliced(at, 1) })}
          >
            <IconX size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      {targets.length > 0 && (
        <Group>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => onChange({ ...link, filters: [...link.filters, proposedFilter(targets, own)] })}
          >
            Add a condition
          </Button>
        </Group>
      )}
    </div>
  );
}

const optionsOf = (datasets: readonly DatasetRef[]) =>
  datasets.map((one) => ({ value: datasetKey(one), label: `${one.datasetId} (${one.datasetCategory})` }));

/** The first columns of the same name, else the first ones. */
function proposedFilter(targets: readonly { name: string }[], own: readonly { name: string }[]): LinkFilter {
  const same = targets.find((target) => own.some(({ name }) => name === target.name));
  const name = same?.name ?? targets[0]?.name ?? "";
  return { name, operator: "=", fromColumn: same?.name ?? own[0]?.name ?? "" };
}
