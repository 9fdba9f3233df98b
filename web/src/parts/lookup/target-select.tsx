import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { SelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { sameDataset } from "#parts/dataset-picker/picker-rows.ts";
import { withOwnGroups } from "#parts/own-datasets/own-groups.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { Select } from "#ui/select.tsx";
import { lookupTargetsQuery } from "./queries.ts";
import classes from "./lookup.module.css";

interface Props extends Omit<SelectProps, "value" | "onChange" | "data"> {
  /** The dataset that looks up columns; null for one that is not stored yet. */
  subject: DatasetRef | null;
  value: DatasetRef | null;
  onChoice: (dataset: DatasetRef) => void;
}

/** A choice of the dataset to look up. Those that cannot be are there with the reason. */
export function TargetSelect({ subject, value, onChoice, ...props }: Props) {
  const { data: list } = useQuery(datasetsQuery);
  const targets = useQuery({ ...lookupTargetsQuery(subject ?? { datasetCategory: "", datasetId: "" }), enabled: subject !== null });
  const own = useOwnDatasets();
  const reasons = new Map(targets.data?.map((target) => [datasetKey(target), target.reason]));
  const all = withOwnGroups(list ?? [], own).map(({ id, datasets }) => ({
    group: id,
    items: datasets
      .filter((dataset) => !sameDataset(dataset, subject))
      .map((dataset) => ({
        value: datasetKey(dataset),
        label: dataset.title ?? dataset.datasetId,
        disabled: (reasons.get(datasetKey(dataset)) ?? null) !== null,
      })),
  }));
  const groups = [
    ...all.map(({ group, items }) => ({ group, items: items.filter(({ disabled }) => !disabled) })),
    { group: "Not to be looked up", items: all.flatMap(({ items }) => items.filter(({ disabled }) => disabled)) },
  ].filter(({ items }) => items.length > 0);
  const isWaiting = list === undefined || (subject !== null && targets.isLoading);
  const chosen = value === null ? null : datasetKey(value);
  const isListed = groups.some(({ items }) => items.some((item) => item.value === chosen));
  return (
    <Select
      label="Dataset"
      searchable
      placeholder={isWaiting ? "Loading datasets" : "Choose a dataset"}
      nothingFoundMessage="No dataset has this name."
      maxDropdownHeight={320}
      allowDeselect={false}
      classNames={{ option: classes["option"] ?? "" }}
      {...props}
      data={
        isListed || value === null
          ? groups
          : [{ group: value.datasetCategory, items: [{ value: datasetKey(value), label: value.datasetId }] }, ...groups]
      }
      value={chosen}
      renderOption={({ option }) => (
        <span className={classes["target"]}>
          {option.label}
          {option.disabled === true && <small>{reasons.get(option.value)}</small>}
        </span>
      )}
      onChange={(key) => {
        const [datasetCategory = "", datasetId = ""] = key === null ? [] : (JSON.parse(key) as string[]);
        if (key !== null && key !== chosen) onChoice({ datasetCategory, datasetId });
      }}
    />
  );
}
