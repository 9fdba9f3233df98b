import { ActionIcon } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconChevronDown } from "./icons/chevron-down.ts";
import { IconChevronUp } from "./icons/chevron-up.ts";
import { IconSearch } from "./icons/search.ts";
import { IconX } from "./icons/x.ts";
import { useEffect, useRef } from "react";
import type { Find } from "#lib/text/use-find.ts";
import classes from "./ui.module.css";
import { pressed } from "./shortcut-keys.ts";

interface FindBoxProps {
  /** Accessible name and placeholder. */
  label: string;
  find: Find;
  /** Of a box that is opened on demand: Escape closes it once it is empty. */
  onClose?: () => void;
}

/** A field to search what is shown, with the number of matches. Ctrl+F or Cmd+F moves the focus to it. */
export function FindBox({ label, find: { query, setQuery, count, current, step }, onClose }: FindBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  const isOnDemand = onClose !== undefined;
  useEffect(() => {
    if (isOnDemand) input.current?.focus();
  }, [isOnDemand]);
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
        aria-label={label}
        placeholder={label}
        value={query}
        autoComplete="off"
        spellCheck={false}
        // Escape clears the box first, and closes the dialog around it only when it is empty.
        data-mantine-stop-propagation={query !== "" || isOnDemand}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (pressed(event, "find.next")) step(1);
          else if (pressed(event, "find.previous")) step(-1);
          else if (event.key === "Escape" && query !== "") setQuery("");
          else if (event.key === "Escape" && onClose) onClose();
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
      {onClose && (
        <ActionIcon variant="subtle" color="gray" size={24} aria-label="Close find" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}
