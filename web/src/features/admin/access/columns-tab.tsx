import { type Column, columnTypeName } from "@fairway/contract/columns";
import { everyone } from "@fairway/contract/access";
import { accessLimits, type CoarseForm, fitsType } from "@fairway/contract/dataset-access";
import { Button, Checkbox, Flex, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { valueText } from "#lib/text/cell-text.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { useAccessForm } from "./access-context.ts";
import { columnRulesOf, type ColumnDrafts, type FormKind, kindOfOthers } from "./access-draft.ts";
import { coarseValue } from "./coarse-values.ts";
import { ReaderPicker } from "./reader-picker.tsx";
import { useExamples } from "./use-examples.ts";
import classes from "./access.module.css";

/** A column that a rule may name, or that one names although it left the data. */
interface RuledColumn {
  name: string;
  /** Undefined if it is not known: it is looked up, or left the data. */
  column: Column | undefined;
  about: string;
}

const formLabels: Readonly<Record<Exclude<FormKind, "stored">, string>> = {
  withheld: "Withheld",
  empty: "No value",
  first: "First characters",
  step: "Steps of",
  hour: "Start of the hour",
  day: "Start of the day",
  month: "Start of the month",
  year: "Start of the year",
};

const formOf: Readonly<Record<Exclude<FormKind, "stored">, "withheld" | CoarseForm>> = {
  withheld: "withheld",
  empty: "empty",
  first: { first: 1 },
  step: { step: 1 },
  hour: { start: "hour" },
  day: { start: "day" },
  month: { start: "month" },
  year: { start: "year" },
};

/** Who sees each column as it is stored, and which values others get. */
export function ColumnsTab() {
  const { dataset, draft, update, problemAt } = useAccessForm();
  const [text, setText] = useState("");
  const examples = useExamples(dataset);
  const { columns, unnamedColumns, tellReaders } = draft;
  const isAllowList = unnamedColumns === "withheld";
  const rows = columnsOf(dataset, columns).filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  const rules = columnRulesOf(columns);
  const isFull = rules.length >= accessLimits.columnRules;
  const set = (name: string, rule: ColumnDrafts[string] | null) =>
    update((now) => {
      const { [name]: _, ...others } = now.columns;
      return { columns: rule === null ? others : { ...now.columns, [name]: rule } };
    });
  const problemOf = (name: string) => {
    const index = rules.findIndex((one) => one.names.includes(name));
    if (index < 0) return undefined;
    const path = `access.columns.${index}`;
    const at = rules[index]?.names.indexOf(name) ?? 0;
    return {
      roles: problemAt(`${path}.roles`),
      others:
        problemAt(`${path}.others`) ??
        problemAt(`${path}.others.step`) ??
        problemAt(`${path}.others.first`) ??
        problemAt(`${path}.names.${at}`),
    };
  };
  const unnamedProblem = problemAt("access.unnamedColumns");
  return (
    <Stack gap="md">
      <Flex gap="lg" wrap="wrap" align="flex-start">
        <Radio.Group
          label="Columns without a rule"
          value={unnamedColumns}
          error={unnamedProblem}
          onChange={(value) => update(() => ({ unnamedColumns: value === "withheld" ? "withheld" : "shown" }))}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="shown" label="All readers see them" />
            <Radio value="withheld" label="Nobody sees them, nor those that the data gains later" />
          </Stack>
        </Radio.Group>
        <Checkbox
          label="Tell readers that they see a part"
          description="Otherwise, nothing says that there are rules"
          checked={tellReaders}
          onChange={(event) => {
            const isTold = event.currentTarget.checked;
            update(() => ({ tellReaders: isTold }));
          }}
        />
      </Flex>
      <TextInput
        aria-label="Filter columns"
        placeholder="Filter columns"
        maw={320}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
      />
      <DataTable
        label="Columns"
        rows={rows}
        rowKey={({ name }) => name}
        scroll={{ role: "region", label: "Columns and who sees them" }}
        head="panel"
        hasCardsOnPhone
        className={classes["columns"]}
        columns={tableColumns({ ruled: columns, isAllowList, isFull, examples, set, problemOf })}
      />
    </Stack>
  );
}

interface TableParts {
  ruled: ColumnDrafts;
  /** Columns without a rule are withheld. */
  isAllowList: boolean;
  isFull: boolean;
  examples: ReturnType<typeof useExamples>;
  /** Null removes the rule. */
  set: (name: string, rule: ColumnDrafts[string] | null) => void;
  problemOf: (name: string) => { roles: string | undefined; others: string | undefined } | undefined;
}

const tableColumns = ({ ruled, isAllowList, isFull, examples, set, problemOf }: TableParts): TableColumn<RuledColumn>[] => [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    className: classes["name"],
    cell: ({ name }) => name,
  },
  {
    id: "type",
    header: "Type",
    nowrap: true,
    className: classes["type"],
    cell: ({ column, about }) => (column ? columnTypeName[column.type] : about),
  },
  {
    id: "readers",
    header: "Sees it as stored",
    phoneLabel: "Sees it as stored",
    className: classes["wide"],
    cell: ({ name, column, about }) => {
      const rule = ruled[name];
      if (column?.combined) return <span className={classes["about"]}>{about}</span>;
      if (rule === undefined) {
        return (
          <Flex gap="sm" align="center">
            {isAllowList ? "Nobody" : "All readers"}
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={isFull}
              title={isFull ? `A dataset can have ${accessLimits.columnRules} column rules.` : undefined}
              aria-label={`${isAllowList ? "Show" : "Limit"} ${name}`}
              onClick={() => set(name, { roles: isAllowList ? [everyone] : [], others: "withheld" })}
            >
              {isAllowList ? "Show" : "Limit"}
            </Button>
          </Flex>
        );
      }
      return (
        <Flex gap="xs" align="flex-start">
          <div className={classes["holders"]}>
            <ReaderPicker
              label={`Roles that see ${name} as stored`}
              value={rule.roles}
              takesEveryone={isAllowList}
              error={problemOf(name)?.roles}
              onChange={(roles) => set(name, { ...rule, roles })}
            />
          </div>
          <IconButton label={`Remove the rule of ${name}`} onClick={() => set(name, null)}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </Flex>
      );
    },
  },
  {
    id: "others",
    header: "Others get",
    phoneLabel: "Others get",
    className: classes["wide"],
    cell: ({ name, column }) => {
      const rule = ruled[name];
      if (rule === undefined || rule.roles.includes(everyone)) return null;
      return (
        <OthersField
          name={name}
          column={column}
          others={rule.others}
          error={problemOf(name)?.others}
          onChange={(others) => set(name, { ...rule, others })}
        />
      );
    },
  },
  {
    id: "example",
    header: "Example",
    phoneLabel: "Example",
    className: classes["wide"],
    cell: ({ name, column }) => (
      <Example column={column} others={ruled[name]?.others} example={examples?.[name]} isLoading={examples === undefined} />
    ),
  },
];

function columnsOf(dataset: ReturnType<typeof useAccessForm>["dataset"], ruled: ColumnDrafts): RuledColumn[] {
  const own = dataset.schema.columns.map((column): RuledColumn => ({
    name: column.name,
    column,
    about: column.combined === null ? "" : `Follows from ${column.combined.fields.join(", ")}`,
  }));
  const lookedUp = (dataset.lookups ?? []).flatMap((one) =>
    one.columns.map(({ name }): RuledColumn => ({ name, column: undefined, about: "Looked up" })),
  );
  const known = new Set([...own, ...lookedUp].map(({ name }) => name));
  const lost = Object.keys(ruled).flatMap((name) => (known.has(name) ? [] : [{ name, column: undefined, about: "Not in the data" }]));
  return [...own, ...lookedUp, ...lost];
}

interface OthersProps {
  name: string;
  column: Column | undefined;
  others: "withheld" | CoarseForm;
  error: string | undefined;
  onChange: (others: "withheld" | CoarseForm) => void;
}

/** The values that a column has for others than its readers: only the forms that its type has. */
function OthersField({ name, column, others, error, onChange }: OthersProps) {
  const kind = kindOfOthers(others);
  const kinds = (Object.keys(formOf) as Exclude<FormKind, "stored">[]).filter((one) => {
    const form = formOf[one];
    return one === kind || form === "withheld" || (column !== undefined && column.computed === undefined && fitsType(form, column.type));
  });
  const isNumbered = typeof others === "object" && !("start" in others);
  return (
    <div>
      <Flex gap="xs">
        <NativeSelect
          aria-label={`Others get of ${name}`}
          miw={152}
          flex="0 1 160px"
          value={kind}
          error={error !== undefined}
          data={kinds.map((value) => ({ value, label: formLabels[value] }))}
          onChange={(event) => {
            const chosen = kinds.find((one) => one === event.currentTarget.value);
            if (chosen) onChange(formOf[chosen]);
          }}
        />
        {isNumbered && (
          <NumberField
            key={kind}
            label={"first" in others ? `Number of characters of ${name}` : `Step of ${name}`}
            value={"first" in others ? others.first : others.step}
            hasProblem={error !== undefined}
            onNumber={(number) => onChange("first" in others ? { first: number } : { step: number })}
          />
        )}
      </Flex>
      {error !== undefined && <p className={classes["problem"]}>{error}</p>}
    </div>
  );
}

interface NumberProps {
  label: string;
  value: number;
  hasProblem: boolean;
  onNumber: (number: number) => void;
}

/** A number as it is typed. */
function NumberField({ label, value, hasProblem, onNumber }: NumberProps) {
  const [text, setText] = useState(String(value));
  return (
    <TextInput
      aria-label={label}
      w={72}
      inputMode="decimal"
      value={text}
      error={hasProblem}
      autoComplete="off"
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(typed);
        onNumber(typed.trim() === "" ? Number.NaN : Number(typed));
      }}
    />
  );
}

interface ExampleProps {
  column: Column | undefined;
  others: "withheld" | CoarseForm | undefined;
  example: string | number | boolean | null | undefined;
  isLoading: boolean;
}

/** A value of the data, and the same as others get it. */
function Example({ column, others, example, isLoading }: ExampleProps) {
  if (column === undefined || column.combined !== null) return null;
  // A card keeps the line for it.
  if (isLoading) return "\u00A0";
  if (example === undefined || example === null) return null;
  const before = valueText(column, example);
  if (others === undefined) return <span className={classes["example"]}>{before}</span>;
  const coarse = others === "withheld" ? null : coarseValue(column, others, example);
  return (
    <span className={classes["example"]}>
      {before} <span aria-label="becomes">→</span>{" "}
      {others === "withheld" ? <em>withheld</em> : coarse === null ? <em>no value</em> : valueText(column, coarse)}
    </span>
  );
}
