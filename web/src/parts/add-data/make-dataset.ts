import { extensionOf } from "@fairway/contract/file-types";
import { useNavigate } from "@tanstack/react-router";
import { useDataDoor } from "./data-door.ts";
import { useStartImport } from "./start-import.ts";

const extensions: ReadonlySet<string> = new Set([
  "csv",
  "tsv",
  "tab",
  "json",
  "jsonl",
  "ndjson",
  "geojson",
  "parquet",
  "xlsx",
  "zip",
  "gz",
]);

/** Whether a dataset may be made of a file, by its name. */
export const isDataFile = (name: string): boolean => extensions.has(extensionOf(name));

/** Makes a dataset of a file of a fileset; null where nobody may. Without permission, the next screen says whom to ask. */
export function useMakeDataset(fileset: string): ((path: string) => void) | null {
  const door = useDataDoor();
  const navigate = useNavigate();
  const { ofFileset } = useStartImport();
  if (door.kind === "hidden") return null;
  return (path) => (door.kind === "open" ? ofFileset(fileset, [path]) : void navigate({ to: "/add-data" }));
}
