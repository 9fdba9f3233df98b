import { IconArrowUp } from "#ui/icons/arrow-up.ts";
import { IconFile } from "#ui/icons/file.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryState } from "#ui/kit/query-state.tsx";
import { dataFolderQuery } from "./found-dataset-queries.ts";
import editor from "../editor/editor.module.css";

interface Props {
  /** The chosen file or folder. */
  path: string | null;
  onPath: (path: string | null) => void;
}

/** Walks through the data folder. */
export function DataFolderList({ path, onPath }: Props) {
  const [folder, setFolder] = useState("");
  const entries = useQuery(dataFolderQuery(folder));
  const parent = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
  const openFolder = (to: string) => {
    setFolder(to);
    onPath(null);
  };
  return (
    <section aria-label="Data folder">
      <p className={editor["note"]}>{folder === "" ? "Data folder" : folder}</p>
      <QueryState query={entries} loading={{ label: "Loading the folder", rows: 6 }} failed="The folder could not be read.">
        {(loaded) => (
          <ul>
            {folder !== "" && (
              <li>
                <button type="button" onClick={() => openFolder(parent)}>
                  <IconArrowUp size={16} aria-hidden /> Up
                </button>
                <button type="button" aria-pressed={path === folder} onClick={() => onPath(folder)}>
                  <IconFolder size={16} aria-hidden /> This whole folder
                </button>
              </li>
            )}
            {loaded.map((entry) => (
              <li key={entry.path}>
                <button
                  type="button"
                  {...(entry.kind === "file" ? { "aria-pressed": path === entry.path } : {})}
                  onClick={() => (entry.kind === "folder" ? openFolder(entry.path) : onPath(entry.path))}
                >
                  {entry.kind === "folder" ? <IconFolder size={16} aria-hidden /> : <IconFile size={16} aria-hidden />}
                  {entry.name}
                </button>
              </li>
            ))}
            {loaded.length === 0 && <li className={editor["note"]}>There's no data here.</li>}
          </ul>
        )}
      </QueryState>
    </section>
  );
}
