import { columnTitleIn } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { aggregationType } from "@fairway/contract/search";
import { Button, NativeSelect, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconSum } from "#ui/icons/sum.ts";
import { IconX } from "#ui/icons/x.ts";
import { likelyColumn, newColumn, newDerived } from "#features/search/graphs/model/graph-draft.ts";
import { graphableColumns } from "#features/search/graphs/model/graph-validity.ts";
import { aggregationLabels, columnLabel, derivedLabels, uniqueLabels } from "@fairway/contract/charts/graph-wording";
import { type Aggregate, type DerivedColumn, derivedTypes, type GraphColumn, isDerived } from "@fairway/contract/charts/graph";
import { IconButton } from "#ui/icon-button.tsx";
import { GraphColorMenu } from "./color-menu.tsx";
import classes from "./graphs.module.css";

interface Props {
  description: DatasetDescription;
  columns: readonly GraphColumn[];
  maxColumns: number;
  showsColors: boolean;
  onChange: (columns: GraphColumn[]) => void;
}

/** Edits the columns of a graph: what is measured in each group. */
export function GraphColumns({ description, columns, maxColumns, showsColors, onChange }: Props) {
  const isFull = columns.length >= maxColumns;
  const labels = uniqueLabels(columns.map((column, index) => columnLabel(column, description.schema.columns) || `column ${index + 1}`));
  return (
    <div role="group" aria-label="Columns">
      <div className={classes["section"]}>
        <h3>Columns</h3>
        <span className={classes["count"]}>{`${columns.length} of ${maxColumns}`}</span>
      </div>
      <Stack gap="xs">
        {columns.map((column, index) => (
          <ColumnRow
            key={column.id}
            description={description}
            column={column}
            name={`column ${index + 1}`}
            label={labels[index] ?? ""}
            showsColor={showsColors}
            onChange={(changed) => onChange(columns.with(index, changed))}
            onRemove={() => onChange(columns.filter((other) => other !== column))}
          />
        ))}
      </Stack>
      <div className={classes["adds"]}>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isFull}
          onClick={() => onChange([...columns, newColumn(columns)])}
        >
          Add column
        </Button>
        <Button
          variant="subtle"
          leftSection={<IconSum size={16} aria-hidden />}
          disabled={isFull}
          onClick={() => onChange([...columns, newDerived(description, columns)])}
        >
          Add derived column
        </Button>
      </div>
    </div>
  );
}

interface RowProps {
  description: DatasetDescription;
  column: GraphColumn;
  /** Name by position, such as `column 1`. */
  name: string;
  /** Unique label by what the column measures. */
  label: string;
  showsColor: boolean;
  onChange: (column: GraphColumn) => void;
  onRemove: () => void;
}

function ColumnRow({ description, column, name, label, showsColor, onChange, onRemove }: RowProps) {
  const color = showsColor ? (
    <GraphColorMenu of={label} value={column.color} onChange={(color) => onChange({ ...column, color })} />
  ) : (
    <span />
  );
  const remove = (
    <IconButton label={`Remove ${label}`} onClick={onRemove}>
      <IconX size={16} aria-hidden />
    </IconButton>
  );
  if (isDerived(column)) {
    return (
      <div className={classes["item"]} role="group" aria-label={`Derived ${name}`}>
        <div className={classes["row"]}>
          {color}
          <TextInput
            aria-label={`Label of ${name}`}
            placeholder="Label"
            value={column.label}
            maxLength={200}
            onChange={(event) => onChange({ ...column, label: event.currentTarget.value })}
            autoComplete="off"
          />
          {remove}
        </div>
        <DerivedFields description={description} column={column} onChange={onChange} />
      </div>
    );
  }
  return (
    <div className={classes["column"]} role="group" aria-label={name}>
      {color}
      <AggregateFields description={description} value={column} prefix="" onChange={(aggregate) => onChange({ ...column, ...aggregate })} />
      {remove}
    </div>
  );
}

function DerivedFields({
  description,
  column,
  onChange,
}: Pick<RowProps, "description"> & { column: DerivedColumn; onChange: (column: DerivedColumn) => void }) {
  return (
    <div className={classes["derived"]}>
      <NativeSelect
        aria-label="Derived type"
        value={column.type}
        onChange={(event) => onChange({ ...column, type: derivedTypes.find((type) => type === event.currentTarget.value) ?? "ratio" })}
        data={derivedTypes.map((type) => ({ value: type, label: derivedLabels[type] }))}
      />
      <div className={classes["pair"]}>
        <AggregateFields
          description={description}
          value={column.column1}
          prefix="First "
          onChange={(column1) => onChange({ ...column, column1 })}
        />
      </div>
      <div className={classes["pair"]}>
        <AggregateFields
          description={description}
          value={column.column2}
          prefix="Second "
          onChange={(column2) => onChange({ ...column, column2 })}
        />
      </div>
    </div>
  );
}

interface AggregateProps {
  description: DatasetDescription;
  value: Aggregate;
  prefix: string;
  onChange: (value: Aggregate) => void;
}

/** An aggregation and its column. A count may be over all rows; anything else needs a numeric column. */
function AggregateFields({ description, value, prefix, onChange }: AggregateProps) {
  const graphable = graphableColumns(description).map(({ name }) => name);
  const name = (text: string): string => (prefix === "" ? text : `${prefix}${text.toLowerCase()}`);
  const choose = (aggregation: Aggregate["aggregation"]) => {
    const model = aggregation === "count" ? "*" : value.model === "*" ? (likelyColumn(description)?.name ?? "*") : value.model;
    onChange({ aggregation, model });
  };
  const isKnown = value.model === "*" || graphable.includes(value.model);
  return (
    <>
      <NativeSelect
        aria-label={name("Aggregation")}
        value={value.aggregation}
        onChange={(event) => choose(aggregationType.options.find((type) => type === event.currentTarget.value) ?? "count")}
        data={aggregationType.options.map((type) => ({ value: type, label: aggregationLabels[type] }))}
      />
      <NativeSelect
        aria-label={name("Column")}
        value={value.model}
        onChange={(event) => onChange({ ...value, model: event.currentTarget.value })}
        data={[
          ...(value.aggregation === "count" ? [{ value: "*", label: "all rows" }] : []),
          ...(isKnown ? [] : [{ value: value.model, label: value.model }]),
          ...graphable.map((column) => ({ value: column, label: columnTitleIn(description.schema.columns, column) })),
        ]}
      />
    </>
  );
}
