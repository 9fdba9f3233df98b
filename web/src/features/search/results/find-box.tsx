import { ActionIcon } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { type KeyboardEvent, useCallback, useDeferredValue, useMemo, useState } from "react";
import { findPattern } from "#lib/text/find-text.ts";
import classes from "./results-page.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

export interface Find {
  query: string;
  setQuery: (query: string) => void;
  find: RegExp | null;
  /** Number of matches; null before a search has finished. */
  count: number | null;
  /** Zero-based index of the current match. */
  current: number;
  step: (direction: -1 | 1) => void;
  onFound: (count: number) => void;
}

/** State of a find over the loaded rows. The visible view reports the number of matches. */
export function useFind(): Find {
  const [query, setQuery] = useState("");
  const [count, setCount] = useState<number | null>(null);
  const [current, setCurrent] = useState(0);
  // Keeps typing responsive while a large result is searched.
  const deferred = useDeferredValue(query);
  const find = useMemo(() => findPattern(deferred), [deferred]);
  return {
    query,
    setQuery: useCallback((next: string) => {
      setQuery(next);
      setCurrent(0);
      setCount(null);
    }, []),
    find,
    count,
    current,
    step: useCallback((step) => setCurrent((index) => (count === null || count === 0 ? 0 : (index + step + count) % count)), [count]),
    onFound: useCallback((total: number) => {
      setCount(total);
      setCurrent((index) => Math.min(index, Math.max(0, total - 1)));
    }, []),
  };
}

/** The find box of the header. Enter moves to the next match, Shift+Enter to the previous, Escape clears. `/` focuses it. */
export function FindBox({ query, setQuery, count, current, step, max }: Find & { max: number }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (pressed(event, "find.next")) step(1);
    else if (pressed(event, "find.previous")) step(-1);
    else if (event.key === "Escape" && query !== "") setQuery("");
    else return;
    event.preventDefault();
  };
  const status = query === "" || count === null ? "" : count === 0 ? "no match" : `${current + 1} of ${count >= max ? `${max}+` : count}`;
  return (
    <div className={classes["find"]} role="search" title="Searches the loaded rows">
      <IconSearch size={16} aria-hidden />
      <input
        type="text"
        aria-label="Find in loaded rows"
        placeholder="Find in loaded rows"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
        data-page-filter
      />
      <span className={classes["findStatus"]} role="status">
        {status}
      </span>
      {query !== "" && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Previous match"
            title="Previous match (Shift+Enter)"
            disabled={!count}
            onClick={() => step(-1)}
          >
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            aria-label="Next match"
            title="Next match (Enter)"
            disabled={!count}
            onClick={() => step(1)}
          >
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </div>
  );
}
