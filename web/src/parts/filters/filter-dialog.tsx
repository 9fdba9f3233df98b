import type { FieldFilter } from "@fairway/contract/datasets";
import { Button, Group, NativeSelect, Select } from "@mantine/core";
import { useId, useState } from "react";
import { hasValue } from "#parts/search-model/search-data.ts";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog.tsx";
import { filterChoices, offeredOperators } from "#parts/search-model/filter-list.ts";
import { filterProblem, isTimeType } from "./filter-value.ts";
import { FilterValueInput } from "./filter-value-input.tsx";
import classes from "./filter-dialog.module.css";

export interface FilterDialogProps {
  opened: boolean;
  /** What can be chosen, each as it would be added. */
  offered: readonly FieldFilter[];
  /** The filter to edit; null to add one. */
  edited: FieldFilter | null;
  /** The one of `offered` to begin with. Without it the person chooses a field first. */
  suggested?: FieldFilter | undefined;
  onClose: () => void;
  /** The added filter, or the edited one in the place of the old. */
  onDone: (filter: FieldFilter) => void;
}

/** Adds or edits one filter. It is done once there is a value that its field can hold. */
export function FilterDialog({ opened, onClose, ...rest }: FilterDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={rest.edited ? "Edit filter" : "Add filter"} size={440}>
      <FilterForm onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** Stands in until a field is chosen. */
const nothing: FieldFilter = {
  id: "",
  name: "",
  display: "",
  description: "",
  required: false,
  type: "STRING",
  value: "",
  operator: "=",
  preFilled: false,
};

function FilterForm({ offered, edited, suggested, onClose, onDone }: Omit<FilterDialogProps, "opened">) {
  const id = useId();
  const choices = filterChoices(offered, edited);
  const only = choices.length === 1 ? choices[0] : undefined;
  const [draft, setDraft] = useState<FieldFilter>(edited ?? suggested ?? only ?? nothing);
  const [left, setLeft] = useState(false);
  const problem = filterProblem(draft);
  const valid = draft.name !== "" && hasValue(draft) && problem === undefined;
  const shown = left ? problem : undefined;
  const operators = offeredOperators(draft);

  const choose = (chosenId: string) => {
    const chosen = choices.find((filter) => filter.id === chosenId);
    if (!chosen || chosenId === draft.id) return;
    // A value typed before the field was corrected is kept where it still fits.
    const fitting = offeredOperators(chosen);
    const operator = fitting.includes(draft.operator) ? draft.operator : (fitting[0] ?? chosen.operator);
    const kept = { ...chosen, operator, value: draft.value };
    setDraft(filterProblem(kept) === undefined ? kept : { ...kept, value: "" });
    setLeft(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog stands inside the search form in React's tree: its Enter is not a search.
        event.stopPropagation();
        setLeft(true);
        if (!valid) return;
        onDone(draft);
        onClose();
      }}
    >
      <Select
        label="Field"
        placeholder="Choose a field"
        searchable
        selectFirstOptionOnChange
        allowDeselect={false}
        value={draft.id === "" ? null : draft.id}
        onChange={(chosenId) => chosenId !== null && choose(chosenId)}
        data={choices.map((filter) => ({ value: filter.id, label: filter.display }))}
        nothingFoundMessage="No field matches"
        maxDropdownHeight={288}
        data-autofocus={draft.name === "" || undefined}
      />
      <div className={classes["row"]}>
        <NativeSelect
          label="Operator"
          className={classes["operator"] ?? ""}
          value={draft.operator}
          onChange={(event) => {
            const operator = operators.find((candidate) => candidate === event.currentTarget.value);
            if (operator) setDraft({ ...draft, operator });
          }}
          data={[...operators]}
        />
        <div className={classes["value"]}>
          <div className={classes["label"]}>
            <label htmlFor={id}>Value</label> {isTimeType(draft.type) && <small>UTC</small>}
          </div>
          <FilterValueInput
            key={draft.type}
            id={id}
            filter={draft}
            problem={shown}
            describedBy={shown === undefined ? undefined : `${id}-problem`}
            onChange={(value) => {
              setLeft(false);
              setDraft({ ...draft, value });
            }}
            onBlur={() => runAfterPointerUp(() => setLeft(true))}
            first={draft.name !== ""}
          />
        </div>
      </div>
      {shown !== undefined && (
        <p id={`${id}-problem`} className={classes["problem"]}>
          {shown}
        </p>
      )}
      {draft.description !== "" && <p className={classes["about"]}>{draft.description}</p>}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!valid}>
          {edited ? "Save filter" : "Add filter"}
        </Button>
      </Group>
    </form>
  );
}
