import { operatorsOf } from "@fairway/contract/columns";
import type { FieldFilter } from "@fairway/contract/datasets";
import { Button, Group, Modal, NativeSelect, Select, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { hasValue } from "#parts/open-searches/search-data.ts";
import { filterProblem, isTimeType } from "./filter-value.ts";
import { FilterValueInput } from "./filter-value-input.tsx";

interface Props {
  opened: boolean;
  /** What can be chosen, each as it would be added. The first is chosen; a single one is not offered as a choice. */
  offered: readonly FieldFilter[];
  /** The filter to edit; null to add one. */
  edited: FieldFilter | null;
  onClose: () => void;
  /** The added filter, or the edited one in the place of the old. */
  onDone: (filter: FieldFilter) => void;
}

/** Adds or edits one filter. Done is possible once there is a value that its field can hold. */
export function FilterDialog({ opened, onClose, ...rest }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={rest.edited ? "Edit filter" : "Add filter"}
      size={440}
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <FilterForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function FilterForm({ offered, edited, onClose, onDone }: Omit<Props, "opened">) {
  const id = useId();
  const choices = edited && !offered.some((filter) => filter.name === edited.name) ? [edited, ...offered] : offered;
  const [draft, setDraft] = useState<FieldFilter | undefined>(edited ?? choices[0]);
  const [left, setLeft] = useState(false);
  if (!draft) return null;
  const problem = filterProblem(draft);
  const valid = hasValue(draft) && problem === undefined;
  const choose = (name: string) => {
    const chosen = choices.find((filter) => filter.name === name);
    if (!chosen || name === draft.name) return;
    // A value typed before the field was corrected is kept where it still fits.
    const kept = { ...chosen, value: draft.value };
    setDraft({
      ...(filterProblem(kept) === undefined ? kept : chosen),
      operator: operatorsOf(chosen.type).includes(draft.operator) ? draft.operator : "=",
    });
    setLeft(false);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setLeft(true);
        if (!valid) return;
        onDone(draft);
        onClose();
      }}
    >
      <Stack gap="md">
        <Select
          label="Field"
          searchable
          allowDeselect={false}
          value={draft.name}
          onChange={(name) => name !== null && choose(name)}
          data={choices.map(({ name, display }) => ({ value: name, label: display }))}
          nothingFoundMessage="No field matches"
          maxDropdownHeight={288}
        />
        <NativeSelect
          label="Operator"
          value={draft.operator}
          onChange={(event) => {
            const operator = operatorsOf(draft.type).find((candidate) => candidate === event.currentTarget.value);
            if (operator) setDraft({ ...draft, operator });
          }}
          data={[...operatorsOf(draft.type)]}
        />
        <div>
          <label
            htmlFor={id}
            style={{ display: "block", marginBottom: 4, fontSize: 12, lineHeight: "16px", fontWeight: 500, color: "var(--text-2)" }}
          >
            {isTimeType(draft.type) ? "Value, UTC" : "Value"}
          </label>
          <FilterValueInput
            key={draft.type}
            id={id}
            filter={draft}
            problem={left ? problem : undefined}
            describedBy={left && problem !== undefined ? `${id}-problem` : undefined}
            onChange={(value) => {
              setLeft(false);
              setDraft({ ...draft, value });
            }}
            onBlur={() => setLeft(true)}
            first
          />
          {left && problem !== undefined && (
            <p id={`${id}-problem`} style={{ marginTop: 4, fontSize: 12, lineHeight: "16px", color: "var(--rose)" }}>
              {problem}
            </p>
          )}
        </div>
      </Stack>
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
