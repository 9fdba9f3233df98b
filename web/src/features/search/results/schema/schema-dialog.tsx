import { columnTypeNameOf } from "@fairway/contract/columns";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { canSucceedLater, messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { schemaQuery } from "#parts/dataset-schema/queries.ts";
import classes from "./schema-view.module.css";

interface Props {
  opened: boolean;
  category: string;
  datasetId: string;
  onClose: () => void;
}

/** 'Schema for <datasetId>': every column with its type and descriptions. */
export function SchemaDialog({ opened, category, datasetId, onClose }: Props) {
  const { data, error, isPending, refetch } = useQuery({ ...schemaQuery(category, datasetId), enabled: opened });
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={`Schema for ${datasetId}`}
      size={920}
      padding={0}
      classNames={{ header: classes["header"] ?? "", content: classes["content"] ?? "", body: classes["dialog"] ?? "" }}
    >
      {data ? (
        <SchemaColumns schema={data.schema} />
      ) : isPending ? (
        <LoadingRows label="Loading schema" rows={10} />
      ) : (
        <ErrorState
          message="Error loading schema."
          details={messagesOf(error)}
          onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
        />
      )}
    </Dialog>
  );
}

function SchemaColumns({ schema }: { schema: DatasetSchema }) {
  const [query, setQuery] = useState("");
  const needle = query.trim().toLowerCase();
  const columns = schema.columns
    .map((column) => ({
      ...column,
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
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
        <div className={classes["scroll"]} tabIndex={0} role="region" aria-label="Columns">
          <table className={classes["table"]}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column) => (
                <tr key={column.id}>
                  <th scope="row">{column.name}</th>
                  <td>{column.typeName}</td>
                  <td>
                    {column.descriptions.map((text) => (
                      <p key={text}>{text}</p>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
