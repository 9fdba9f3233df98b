import { type ReactNode, useRef } from "react";
import { ActionIcon } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp, IconSearch } from "@tabler/icons-react";
import type { Find } from "./use-find.ts";
import classes from "./views.module.css";

interface ViewFrameProps {
  children: ReactNode;
  /** What is shown, for the line below. */
  summary: string;
  /** What is left out, and why. */
  note?: string | undefined;
  find?: Find;
}

/** A preview with its find box and the line that says how much of the file it shows. */
export function ViewFrame({ children, summary, note, find }: ViewFrameProps) {
  return (
    <div className={classes["view"]}>
      {find && <FindBox {...find} />}
      {children}
      {(summary !== "" || note !== undefined) && (
        <p className={classes["summary"]}>
          {summary}
          {note !== undefined && <span role="note">{note}</span>}
        </p>
      )}
    </div>
  );
}

function FindBox({ query, setQuery, count, current, step }: Find) {
  const input = useRef<HTMLInputElement>(null);
  // The browser's own find sees only the rows and pages that are drawn.
  useWindowEvent("keydown", (event) => {
    if (event.key.toLowerCase() !== "f" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    input.current?.select();
    input.current?.focus();
  });
  const status = query === "" || count === null ? "" : count === 0 ? "no match" : `${current + 1} of ${count.toLocaleString("en-US")}`;
  return (
    <div className={classes["find"]} role="search">
      <IconSearch size={16} aria-hidden />
      <input
        ref={input}
        type="text"
        aria-label="Find in file"
        placeholder="Find in file"
        value={query}
        autoComplete="off"
        spellCheck={false}
        // Escape clears the box first, and closes the preview only when it is empty.
        data-mantine-stop-propagation={query !== ""}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape" && query !== "") setQuery("");
          else return;
          event.preventDefault();
        }}
      />
      <span role="status">{status}</span>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label="Previous match" disabled={!count} onClick={() => step(-1)}>
        <IconChevronUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label="Next match" disabled={!count} onClick={() => step(1)}>
        <IconChevronDown size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
