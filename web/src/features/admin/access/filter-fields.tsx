import { type Column, columnTitle, isTimestamp } from "@fairway/contract/columns";
import type { FilterValue } from "@fairway/contract/datasets";
import { Flex, NativeSelect, Textarea } from "@mantine/core";
import { useId } from "react";
import { FilterValueInput } from "#parts/filters/filter-value-input.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { useAccessForm } from "./access-context.ts";
import { conditionLabels, conditionsOf, fieldOfColumn, type FilterDraft, isStoredMoment } from "./access-draft.ts";
import classes from "./access.module.css";

interface Props {
  filter: FilterDraft;
  path: string;
  onChange: (filter: FilterDraft) => void;
  onRemove: () => void;
}

/** A condition on a stored column: column, condition and value. */
export function FilterFields({ filter, path, onChange, onRemove }: Props) {
  const { storedColumns, problemAt } = useAccessForm();
  const { name, condition } = filter;
  const column = storedColumns.find((one) => one.name === name);
  const title = column === undefined ? name : columnTitle(column);
  const change = (changed: Partial<FilterDraft>) => onChange({ ...filter, ...changed, stored: undefined });
  const conditions = column === undefined ? [condition] : conditionsOf(column);
  const nameProblem = problemAt(`${path}.name`);
  return (
    <Flex role="group" aria-label={`Filter on ${title}`} gap={4} align="flex-start">
      <Flex gap="sm" wrap="wrap" flex={1} align="flex-start">
        <NativeSelect
          aria-label="Column"
          className={classes["column"] ?? ""}
          value={name}
          error={nameProblem}
          data={[
            ...(column === undefined ? [{ value: name, label: `${name} (not in the data)` }] : []),
            ...storedColumns.map((one) => ({ value: one.name, label: columnTitle(one) })),
          ]}
          onChange={(event) => {
            const chosen = storedColumns.find((one) => one.name === event.currentTarget.value);
            if (chosen === undefined) return;
            const keeps = conditionsOf(chosen).includes(condition) && chosen.type === column?.type;
            change({ name: chosen.name, ...(keeps ? {} : { condition: "=", value: "", list: "", low: "", high: "" }) });
          }}
        />
        <NativeSelect
          aria-label={`Condition of ${title}`}
          className={classes["condition"] ?? ""}
          value={condition}
          error={problemAt(`${path}.operator`)}
          data={conditions.map((value) => ({ value, label: conditionLabels[value] }))}
          onChange={(event) => {
            const chosen = conditions.find((one) => one === event.currentTarget.value);
            if (chosen) change({ condition: chosen });
          }}
        />
        {column !== undefined && <Value filter={filter} path={`${path}.value`} column={column} change={change} />}
      </Flex>
      <IconButton label={`Remove filter on ${title}`} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </Flex>
  );
}

interface ValueProps {
  filter: FilterDraft;
  path: string;
  column: Column;
  change: (changed: Partial<FilterDraft>) => void;
}

function Value({ filter: { condition, value, list, low, high }, path, column, change }: ValueProps) {
  const { problemUnder } = useAccessForm();
  const title = columnTitle(column);
  switch (condition) {
    case "empty":
    case "filled":
    case "username":
    case "groups":
    case "roles":
      return null;
    case "in":
      return (
        <Textarea
          aria-label={`Values of ${title}`}
          description="One a line, or with commas between them. The word empty stands for rows without a value."
          inputWrapperOrder={["label", "input", "description", "error"]}
          className={classes["value"] ?? ""}
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          value={list}
          error={problemUnder(path)}
          onChange={(event) => change({ list: event.currentTarget.value })}
        />
      );
    case "between":
      return (
        <Flex gap="xs" align="baseline" className={classes["value"] ?? ""}>
          <One label={`Lowest ${title}`} value={low} onValue={(changed) => change({ low: changed })} path={`${path}.0`} column={column} />
          <span>and</span>
          <One
            label={`Highest ${title}`}
            value={high}
            onValue={(changed) => change({ high: changed })}
            path={`${path}.1`}
            column={column}
          />
        </Flex>
      );
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return (
        <div className={classes["value"]}>
          <One label={`Value of ${title}`} value={value} onValue={(changed) => change({ value: changed })} {...{ path, column }} />
        </div>
      );
    default:
      return condition satisfies never;
  }
}

interface OneProps {
  label: string;
  /** Of the value in its filter. */
  path: string;
  column: Column;
  value: FilterValue;
  onValue: (value: FilterValue) => void;
}

function One({ label, path, column, value, onValue }: OneProps) {
  const id = useId();
  const { problemUnder } = useAccessForm();
  const problem = problemUnder(path);
  if (column.type === "BOOLEAN") {
    return (
      <NativeSelect
        aria-label={label}
        value={String(value)}
        error={problem}
        data={[...(value === "" ? [{ value: "", label: "Choose a value" }] : []), "true", "false"]}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
    );
  }
  return (
    <div className={classes["one"]}>
      <FilterValueInput
        id={id}
        label={label}
        filter={{ ...fieldOfColumn(column), value }}
        problem={problem}
        describedBy={problem === undefined ? undefined : `${id}-problem`}
        onChange={(changed) => {
          if (!isTimestamp(column.type) || !isStoredMoment(value, changed)) onValue(changed);
        }}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className={classes["problem"]}>
          {problem}
        </p>
      )}
    </div>
  );
}
