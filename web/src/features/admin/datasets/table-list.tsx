import type { TableLevel } from "@fairway/contract/dataset-administration";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconDatabase } from "#ui/icons/database.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { IconTable } from "#ui/icons/table.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "#ui/kit/query-state.tsx";
import { tablesQuery } from "./found-dataset-queries.ts";
import editor from "../editor/editor.module.css";
import classes from "./datasets.module.css";

interface Props {
  /** The chosen table. */
  table: string | null;
  onTable: (table: string | null) => void;
}

const icons = { catalog: IconDatabase, schema: IconFolder, table: IconTable };
const nouns = { catalog: "catalogs", schema: "schemas", table: "tables" };
const kindsByDepth = ["catalog", "schema", "table"] as const;
const searchDelayMs = 250;

/** Walks through the catalogs, schemas and tables of the query server. */
export function TableList({ table, onTable }: Props) {
  /** The full names of the catalog and the schema that are open. */
  const [open, setOpen] = useState<readonly string[]>([]);
  const [contains, setContains] = useState("");
  const [searched] = useDebouncedValue(contains, searchDelayMs);
  const within = open.at(-1) ?? "";
  // An emptied search takes effect at once: it belongs to another level.
  const level = useQuery(tablesQuery(within, contains === "" ? "" : searched));
  const noun = nouns[kindsByDepth[open.length] ?? "table"];
  const walkTo = (names: readonly string[]) => {
    setOpen(names);
    setContains("");
    onTable(null);
  };
  return (
    <section aria-label="Query server">
      <p className={editor["note"]}>{within === "" ? "Query server" : within}</p>
      <TextInput
        className={classes["find"] ?? ""}
        aria-label={`Find ${noun}`}
        placeholder={`Find ${noun}`}
        value={contains}
        maxLength={200}
        onChange={(event) => setContains(event.currentTarget.value)}
      />
      <ul>
        {within !== "" && (
          <li>
            <button type="button" onClick={() => walkTo(open.slice(0, -1))}>
              <IconArrowUp size={16} aria-hidden /> Up
            </button>
          </li>
        )}
        {level.data?.entries.map(({ name, path }) => (
          <li key={path}>
            <Entry
              kind={level.data.kind}
              name={name}
              isChosen={table === path}
              onClick={() => (level.data.kind === "table" ? onTable(path) : walkTo([...open, path]))}
            />
          </li>
        ))}
      </ul>
      <QueryState query={level} loading={{ label: `Loading the ${noun}`, rows: 6 }} failed={`The ${noun} could not be read.`}>
        {(loaded) => (
          <p role="status" className={editor["note"]}>
            {loaded.entries.length === 0
              ? `There are no ${searched === "" ? "" : "such "}${noun}.`
              : loaded.isCut && `These are the first ${loaded.entries.length} ${noun}. Type part of a name to find others.`}
          </p>
        )}
      </QueryState>
    </section>
  );
}

interface EntryProps {
  kind: TableLevel["kind"];
  name: string;
  isChosen: boolean;
  onClick: () => void;
}

function Entry({ kind, name, isChosen, onClick }: EntryProps) {
  const Icon = icons[kind];
  return (
    <button type="button" {...(kind === "table" ? { "aria-pressed": isChosen } : {})} onClick={onClick}>
      <Icon size={16} aria-hidden />
      {name}
    </button>
  );
}
