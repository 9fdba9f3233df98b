import { columnTypeNameOf } from "@fairway/contract/columns";
import type { DatasetDescription, DatasetSchema } from "@fairway/contract/datasets";
import { TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { schemaQuery } from "#parts/dataset-schema/queries.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { coarseColumnsOf, type ShownForm } from "#parts/reader-part/coarse-columns.ts";
import { withheldColumnsText } from "#parts/reader-part/part-text.ts";
import classes from "./schema-view.module.css";

interface Props {
  opened: boolean;
  description: DatasetDescription;
  onClose: () => void;
}

/** 'Schema for <datasetId>': every column with its type and descriptions. */
export function SchemaDialog({ opened, description, onClose }: Props) {
  const { category, datasetId } = description;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`Schema for ${datasetId}`}
      size={920}
      padding={0}
      classNames={{ header: classes["header"] ?? "", content: classes["content"] ?? "", body: classes["dialog"] ?? "" }}
    >
      <QueryState
        query={useQuery({ ...schemaQuery(category.id, datasetId), enabled: opened })}
        loading={{ label: "Loading schema", rows: 10 }}
        failed="Error loading schema."
        canRetry={canSucceedLater}
      >
        {({ schema }) => <SchemaColumns schema={schema} description={description} />}
      </QueryState>
    </Dialog>
  );
}

type DescribedColumn = DatasetSchema["columns"][number] & {
  typeName: string;
  descriptions: readonly string[];
  coarse: ShownForm | undefined;
};

const shownColumns: readonly TableColumn<DescribedColumn>[] = [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    cell: ({ name, coarse }) => (
      <>
        <CoarseMark form={coarse} />
        {name}
      </>
    ),
  },
  { id: "type", header: "Type", cell: ({ typeName }) => typeName },
  { id: "description", header: "Description", cell: ({ descriptions }) => descriptions.map((text) => <p key={text}>{text}</p>) },
];

function SchemaColumns({ schema, description }: { schema: DatasetSchema; description: DatasetDescription }) {
  const coarse = coarseColumnsOf(description);
  const [query, setQuery] = useState("");
  const needle = query.trim().toLowerCase();
  const columns = schema.columns
    .map((column) => ({
      ...column,
      coarse: coarse.get(column.id),
      typeName: columnTypeNameOf(column.type),
      descriptions: [column.description, column.communityDescription, column.userDescription].filter((text) => text !== ""),
    }))
    .filter(({ name, typeName, descriptions }) => [name, typeName, ...descriptions].join("\n").toLowerCase().includes(needle));
  const descriptions = [schema.description, schema.communityDescription, schema.userDescription].filter((text) => text !== "");
  return (
    <>
      <div className={classes["about"]}>
        {descriptions.map((text) => (
          <p key={text}>{text}</p>
        ))}
        {description.access?.hasWithheldColumns === true && <p>{withheldColumnsText}</p>}
        <div className={classes["search"]}>
          <TextInput
            aria-label="Find a column"
            placeholder="Find a column"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            data-autofocus
            data-page-filter
          />
          <span role="status">
            {needle === "" ? `${schema.columns.length} columns` : `${columns.length} of ${schema.columns.length} columns`}
          </span>
        </div>
      </div>
      {columns.length === 0 ? (
        <EmptyState>
          {schema.columns.length === 0
            ? "This dataset's columns are read from the rows of a search."
            : `No column matches “${query.trim()}”.`}
        </EmptyState>
      ) : (
        <DataTable
          columns={shownColumns}
          rows={columns}
          rowKey={({ id }) => id}
          scroll={{ role: "region", label: "Columns", className: classes["scroll"] }}
          head="panel line"
          hasStickyHead
          className={classes["table"]}
        />
      )}
    </>
  );
}
