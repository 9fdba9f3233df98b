import type { DatasetDescription } from "@fairway/contract/datasets";
import { Popover } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { FilterType } from "./filter-value.ts";
import type { SuggestionSource } from "./suggestion-source.ts";
import { saysNothing, suggestionsQuery } from "./suggestions-query.ts";
import classes from "./filters.module.css";

interface Props {
  source: SuggestionSource;
  column: string;
  /** The field's text. */
  text: string;
  /** The field itself. It keeps the focus while its keys move through the list. */
  input: HTMLInputElement;
  /** The field was first used by a click, which opens the list; focus by keyboard or by a dialog does not. */
  byPointer: boolean;
  onChoose: (value: string) => void;
}

/** Suggests values of the column that contain the typed text, below the field; in a dialog above it, so no button is covered. */
export function ValueSuggestions({ source, column, text, input, byPointer, onChoose }: Props) {
  const id = useId();
  const { values, areOfPart } = useSuggestedValues(source, column, text);
  const [opened, setOpened] = useState(byPointer);
  const [active, setActive] = useState(-1);
  const isOpen = opened && values.length > 0;
  const choose = (index: number) => {
    const value = values[index]?.value;
    if (value === undefined) return;
    onChoose(value);
    setOpened(false);
    setActive(-1);
  };

  /** Returns true when the list handled the key. */
  const handleKey = (key: string): boolean => {
    if (key === "ArrowDown" && !isOpen) setOpened(true);
    if (!isOpen) return key === "ArrowDown" && values.length > 0;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      // Wraps around through -1, which is the field itself.
      setActive((current) => ((current + 1 + step + values.length + 1) % (values.length + 1)) - 1);
      return true;
    }
    if (key === "Escape") {
      setOpened(false);
      setActive(-1);
      return true;
    }
    if (key !== "Enter" || active < 0) return false;
    choose(active);
    return true;
  };
  useInputEvents(input, {
    onKeyDown: handleKey,
    onInput: () => {
      setOpened(true);
      setActive(-1);
    },
    onPointerDown: () => setOpened(true),
    onBlur: () => setOpened(false),
  });
  useListAttributes(input, isOpen ? { list: `${id}-list`, option: active < 0 ? null : `${id}-${active}` } : null);

  return (
    <Popover
      opened={isOpen}
      position={input.closest("[role=dialog]") ? "top-start" : "bottom-start"}
      width="target"
      offset={2}
      shadow="sm"
      trapFocus={false}
      withRoles={false}
      returnFocus={false}
    >
      <Popover.Target>
        <span className={classes["anchor"]} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown className={classes["dropdown"] ?? ""}>
        <div role="listbox" id={`${id}-list`} aria-label={`Values of ${column}`} className={classes["list"]}>
          {values.map(({ value, rows }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              ref={index === active ? scrollIntoView : undefined}
              className={classes["option"]}
              // The field must not lose the focus to the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
            >
              <span className={classes["value"]}>{value}</span>
              {rows !== null && <span className={classes["rows"]}>{rows.toLocaleString("en-US")}</span>}
            </div>
          ))}
        </div>
        {areOfPart && <p className={classes["part"]}>{ofPartText}</p>}
      </Popover.Dropdown>
    </Popover>
  );
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

const debounceMs = 250;

/** An answer that says nothing is asked for again a few times. */
const askAgainMs = 2_000;
const maxAnswers = 4;

/** Whether the dataset suggests values of a column of this type. */
export const hasSuggestions = (type: FilterType, { assists }: DatasetDescription): boolean =>
  (type === "STRING" || type === "integer") && assists.includes("SUGGESTIONS");

interface SuggestedValues {
  /** `rows`: how many rows have the value; null unless all rows were counted. */
  readonly values: readonly { readonly value: string; readonly rows: number | null }[];
  /** Whether they come from a part of the rows, and so does their order. */
  readonly areOfPart: boolean;
}

/** At the foot of a list of values from a part of the rows. */
export const ofPartText = "Values from a part of the rows, without counts";

const noValues: SuggestedValues = { values: [], areOfPart: false };

/**
 * Values of the column that contain the text, the most frequent first. Empty without a column, while loading and when the
 * request fails.
 */
export function useSuggestedValues(source: SuggestionSource, column: string | undefined, text: string): SuggestedValues {
  const [contains] = useDebouncedValue(text.trim(), debounceMs);
  const { data } = useQuery({
    ...suggestionsQuery(source, column ?? "", contains),
    enabled: column !== undefined,
    refetchInterval: ({ state: { data: answer, dataUpdateCount } }) =>
      answer !== undefined && saysNothing(answer) && dataUpdateCount < maxAnswers ? askAgainMs : false,
    // Of the same column only.
    placeholderData: (previous, query) => (query?.queryKey[3] === column ? previous : undefined),
  });
  if (column === undefined || data === undefined) return noValues;
  const values = data.values
    .map(({ value, rows }) => ({ value: String(value), rows: data.complete ? rows : null }))
    .filter(({ value }) => value.trim() !== "");
  // No suggestion for the only matching value once it is fully typed.
  return values.length === 1 && values[0]?.value === text.trim() ? noValues : { values, areOfPart: !data.complete && values.length > 0 };
}

interface InputEvents {
  onKeyDown: (key: string) => boolean;
  onInput: () => void;
  onPointerDown: () => void;
  onBlur: () => void;
}

/** Listens on the field directly, before its form and dialog handle the events. */
function useInputEvents(input: HTMLInputElement, events: InputEvents): void {
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || !latest.current.onKeyDown(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    input.addEventListener("keydown", onKeyDown, { signal });
    input.addEventListener("input", () => latest.current.onInput(), { signal });
    input.addEventListener("pointerdown", () => latest.current.onPointerDown(), { signal });
    input.addEventListener("blur", () => latest.current.onBlur(), { signal });
    return () => controller.abort();
  }, [input]);
}

/** Exposes the list and the active option to assistive technology. */
function useListAttributes(input: HTMLInputElement, shown: { list: string; option: string | null } | null): void {
  const list = shown?.list ?? null;
  const option = shown?.option ?? null;
  useEffect(() => {
    input.setAttribute("aria-autocomplete", "list");
    for (const [name, value] of [
      ["aria-controls", list],
      ["aria-activedescendant", option],
      // Escape closes the list, not the dialog: Mantine would otherwise handle it first.
      ["data-mantine-stop-propagation", list === null ? null : "true"],
    ] as const) {
      if (value === null) input.removeAttribute(name);
      else input.setAttribute(name, value);
    }
  }, [input, list, option]);
}
