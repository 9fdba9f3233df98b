import type { AccessList, DatasetRef } from "@fairway/contract/datasets";
import { Checkbox, TextInput } from "@mantine/core";
import { IconSearch, IconWorld } from "@tabler/icons-react";
import { useState } from "react";
import { shareOf, withDatasetToggled, withHeaderToggled } from "./multi-selection.ts";
import { datasetKey, type PickerCategory, pickerCategories } from "./picker-rows.ts";
import classes from "./multi-picker.module.css";

interface Props {
  list: AccessList;
  chosen: readonly DatasetRef[];
  onChange: (chosen: DatasetRef[]) => void;
}

/** The datasets this user may reach, by category, to choose several of. A category's header chooses all that is shown below it. */
export function MultiDatasetPicker({ list, chosen, onChange }: Props) {
  const [text, setText] = useState("");
  const categories = pickerCategories(list, { text, only: null });
  return (
    <fieldset className={classes["picker"]}>
      <legend>Datasets</legend>
      <TextInput
        type="search"
        aria-label="Search datasets to choose"
        placeholder="Search datasets"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter is for choosing here, not for saving what stands around the list.
          if (event.key === "Enter") event.preventDefault();
        }}
        leftSection={<IconSearch size={16} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["list"]} role="group" aria-label="Datasets to choose from" tabIndex={0}>
        {list.length === 0 && <p className={classes["none"]}>No Datasets Available</p>}
        {list.length > 0 && categories.length === 0 && <p className={classes["none"]}>No dataset matches.</p>}
        {categories.map((category) => (
          <Category key={category.id} category={category} chosen={chosen} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  );
}

function Category({ category: { id, datasets }, chosen, onChange }: { category: PickerCategory } & Omit<Props, "list">) {
  const share = shareOf(datasets, chosen);
  return (
    <div role="group" aria-label={id}>
      <Checkbox
        className={classes["header"] ?? ""}
        label={id}
        checked={share === "all"}
        indeterminate={share === "some"}
        onChange={() => onChange(withHeaderToggled(chosen, datasets))}
      />
      {datasets.map((dataset) => (
        <div key={datasetKey(dataset)} className={classes["row"]}>
          <Checkbox
            label={dataset.datasetId}
            checked={shareOf([dataset], chosen) === "all"}
            onChange={() => onChange(withDatasetToggled(chosen, dataset))}
          />
          {dataset.supportsMapResults && <IconWorld size={16} role="img" aria-label="Supports map results" />}
        </div>
      ))}
    </div>
  );
}
