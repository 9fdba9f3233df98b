import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import { Box, Button, Checkbox, Flex, Group, NativeSelect, SegmentedControl } from "@mantine/core";
import { useId, useState } from "react";
import { allowedOperators, filterChoices, furtherOperators } from "#parts/search-model/filter-list.ts";
import { type FormFilter, isCompared, withSetting } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { island } from "#ui/island.tsx";
import { Select } from "#ui/select.tsx";
import { canBeEmpty, emptied, emptyOperators, filterProblem, zoneNote } from "./filter-value.ts";
import { FilterValueInput } from "./filter-value-input.tsx";
import { draftOf, filterOfDraft, type FurtherDraft, kindLabels, kindOf, offeredKinds } from "./further-draft.ts";
import { typedFields } from "./typed-filter.ts";
import classes from "./filters.module.css";

// Most filters are comparisons.
const FurtherFields = island(async () => ({ default: (await import("./further-forms.ts")).FurtherFields }));
const AlternativesForm = island(async () => ({ default: (await import("./further-forms.ts")).AlternativesForm }));

export interface FilterDialogProps {
  opened: boolean;
  description: DatasetDescription;
  /** The filters to choose from, as they would be added. */
  offered: readonly FieldFilter[];
  /** The filter to edit; null to add one. */
  edited: FormFilter | null;
  /** The initially selected one of `offered`. Without it, the user selects a field first. */
  suggested?: FieldFilter | undefined;
  /** Title and button, unless they are of adding or editing a filter. */
  wording?: { title: string; submit: string } | undefined;
  onClose: () => void;
  /** Receives the new or edited filter. */
  onDone: (filter: FormFilter) => void;
}

/** Adds or edits one filter. It can be saved once its value is valid. */
export function FilterDialog({ opened, onClose, ...rest }: FilterDialogProps) {
  const { edited, wording } = rest;
  return (
    <Dialog opened={opened} onClose={onClose} title={wording?.title ?? (edited ? "Edit filter" : "Add filter")} size={440}>
      {edited?.operator === "any" ? (
        <AlternativesForm description={rest.description} edited={edited} onClose={onClose} onDone={rest.onDone} />
      ) : (
        <FilterForm onClose={onClose} {...rest} />
      )}
    </Dialog>
  );
}

/** Placeholder until a field is selected. */
const emptyFilter: FieldFilter = {
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

/** A filter as a comparison, whose value is empty if it is of another kind. */
const asCompared = (filter: FormFilter): FieldFilter => {
  const compared = isCompared(filter) ? filter : withSetting(filter, { operator: "=", value: "" });
  return isCompared(compared) ? compared : emptyFilter;
};

function FilterForm({ description, offered, edited, suggested, wording, onClose, onDone }: Omit<FilterDialogProps, "opened">) {
  const id = useId();
  const choices = filterChoices(offered, edited && asCompared(edited));
  const only = choices.length === 1 ? choices[0] : undefined;
  const [initial] = useState(() => ({
    compared: edited ? asCompared(edited) : (suggested ?? only ?? emptyFilter),
    kind: kindOf(edited ?? emptyFilter),
    further: draftOf(edited ?? emptyFilter),
  }));
  const [draft, setDraft] = useState(initial.compared);
  const [chosenKind, setKind] = useState(initial.kind);
  const [further, setFurther] = useState<FurtherDraft>(initial.further);
  const typed = typedFields(description, edited ? [edited] : []).find(({ name }) => name === draft.name);
  const allowed = draft.name === "" ? [] : furtherOperators(draft, description);
  const kinds = offeredKinds(allowed);
  const kind = kinds.includes(chosenKind) ? chosenKind : "compare";
  const isChanged =
    kind !== initial.kind || (kind === "compare" ? !sameContent(draft, initial.compared) : !sameContent(further, initial.further));
  // A chosen field is quickly chosen again.
  useUnsavedChanges(edited ? isChanged : draft.value !== initial.compared.value || !sameContent(further, initial.further));
  const [touched, setTouched] = useState(false);
  const result = kind === "compare" ? comparedResult(draft) : filterOfDraft(description, draft, typed, kind, further);
  const problem = "problem" in result && result.isMissing !== true ? result.problem : undefined;
  const valid = draft.name !== "" && "filter" in result;
  const shownProblem = touched ? problem : undefined;
  const operators = draft.value === null ? emptyOperators : allowedOperators(draft);

  const choose = (chosenId: string) => {
    const chosen = choices.find((filter) => filter.id === chosenId);
    if (!chosen || chosenId === draft.id) return;
    // Keep a value typed before the field was changed if it is still valid.
    const operatorsOfChosen = allowedOperators(chosen);
    const operator = operatorsOfChosen.includes(draft.operator) ? draft.operator : (operatorsOfChosen[0] ?? chosen.operator);
    const changed = { ...chosen, operator, value: draft.value === null && !canBeEmpty(chosen) ? "" : draft.value };
    setDraft(filterProblem(changed) === undefined ? changed : { ...changed, value: "" });
    setTouched(false);
  };
  const touch = () => runAfterPointerUp(() => setTouched(true));
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog is inside the search form in React's tree, so its submit would bubble to it.
        event.stopPropagation();
        setTouched(true);
        if (!valid) return;
        onDone(result.filter);
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
      {kinds.length > 1 && (
        <SegmentedControl
          mt="md"
          fullWidth
          size="xs"
          aria-label="Kind of condition"
          value={kind}
          onChange={(value) => {
            setKind(kinds.find((one) => one === value) ?? "compare");
            setTouched(false);
          }}
          data={kinds.map((value) => ({ value, label: kindLabels[value] }))}
        />
      )}
      {kind === "compare" ? (
        <Flex gap="sm" mt="md">
          <NativeSelect
            label="Operator"
            className={classes["filterDialogOperator"] ?? ""}
            value={draft.operator}
            onChange={(event) => {
              const operator = operators.find((candidate) => candidate === event.currentTarget.value);
              if (operator) setDraft({ ...draft, operator });
            }}
            data={[...operators]}
          />
          <Box flex={1} miw={0}>
            <div className={classes["filterDialogLabel"]}>
              <label htmlFor={id}>Value</label> {zoneNote(draft) && <small>{zoneNote(draft)}</small>}
            </div>
            <FilterValueInput
              key={draft.type}
              id={id}
              filter={draft}
              problem={shownProblem}
              describedBy={shownProblem === undefined ? undefined : `${id}-problem`}
              onChange={(value) => {
                setTouched(false);
                setDraft({ ...draft, value });
              }}
              onBlur={touch}
              hasInitialFocus={draft.name !== ""}
            />
          </Box>
        </Flex>
      ) : (
        <FurtherFields
          field={draft}
          kind={kind}
          allowed={allowed}
          draft={further}
          problem={shownProblem}
          problemId={`${id}-problem`}
          onChange={(change) => {
            setTouched(false);
            setFurther({ ...further, ...change });
          }}
          onBlur={touch}
        />
      )}
      {shownProblem !== undefined && (
        <p id={`${id}-problem`} className={classes["filterDialogProblem"]}>
          {shownProblem}
        </p>
      )}
      {kind === "compare" && draft.name !== "" && canBeEmpty(draft) && (
        <Checkbox
          mt="sm"
          label="Empty"
          description={draft.operator === "<>" && draft.value === null ? "Keeps rows that have a value." : "Keeps rows without a value."}
          checked={draft.value === null}
          onChange={(event) => {
            setTouched(false);
            setDraft(event.currentTarget.checked ? emptied(draft) : { ...draft, value: "" });
          }}
        />
      )}
      {draft.description !== "" && <p className={classes["filterDialogAbout"]}>{draft.description}</p>}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={!valid}>
          {wording?.submit ?? (edited ? "Save filter" : "Add filter")}
        </Button>
      </Group>
    </form>
  );
}

function comparedResult(draft: FieldFilter): ReturnType<typeof filterOfDraft> {
  const problem = filterProblem(draft);
  if (problem !== undefined) return { problem };
  return hasValue(draft) ? { filter: draft } : { problem: "Add a value.", isMissing: true };
}
