import { columnValues } from "@fairway/contract/column-values";
import { Popover } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { isoRange } from "#parts/search-model/search-data.ts";
import type { SuggestionSource } from "./suggestion-source.ts";
import classes from "./value-suggestions.module.css";

interface Props {
  source: SuggestionSource;
  column: string;
  /** What stands in the field. */
  text: string;
  /** The field itself: it keeps the focus, and its keys move through the list. */
  input: HTMLInputElement;
  /** Its first use was a click, which opens the list; being led to it by the keyboard or a dialog does not. */
  pointed: boolean;
  onChoose: (value: string) => void;
}

const typingPauseMs = 250;

/** Values of the column that hold what is typed: below the field, in a dialog above it, where they cover no button. Nobody waits for them. */
export function ValueSuggestions({ source, column, text, input, pointed, onChoose }: Props) {
  const id = useId();
  const values = useSuggestedValues(source, column, text);
  const [opened, setOpened] = useState(pointed);
  const [active, setActive] = useState(-1);
  const isOpen = opened && values.length > 0;
  const choose = (index: number) => {
    const value = values[index]?.value;
    if (value === undefined) return;
    onChoose(value);
    setOpened(false);
    setActive(-1);
  };

  /** True when the key was one of the list's. */
  const pressed = (key: string): boolean => {
    if (key === "ArrowDown" && !isOpen) setOpened(true);
    if (!isOpen) return key === "ArrowDown" && values.length > 0;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      // One place more than there are values: the field itself.
      setActive((now) => ((now + 1 + step + values.length + 1) % (values.length + 1)) - 1);
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
    onKey: pressed,
    onType: () => {
      setOpened(true);
      setActive(-1);
    },
    onPoint: () => setOpened(true),
    onLeave: () => setOpened(false),
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
        <span className={classes["place"]} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown className={classes["dropdown"] ?? ""}>
        <div role="listbox" id={`${id}-list`} aria-label={`Values of ${column}`} className={classes["list"]}>
          {values.map(({ value, rows }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and has the keys
            <div
              key={value}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              ref={index === active ? intoView : undefined}
              className={classes["option"]}
              // The field must not lose the focus to the list.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(index)}
            >
              <span className={classes["value"]}>{value}</span>
              <span className={classes["rows"]}>{rows.toLocaleString("en-US")}</span>
            </div>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

/** None while the first ones are on their way, and none when the server has none to give. */
function useSuggestedValues({ description, timeRange }: SuggestionSource, column: string, text: string) {
  const [contains] = useDebouncedValue(text.trim().slice(0, 200), typingPauseMs);
  const { category, datasetId } = description;
  const body = { contains, ...(timeRange ? { timeRange: isoRange(timeRange) } : {}) };
  const { data } = useQuery({
    queryKey: ["suggestions", category.id, datasetId, column, body],
    queryFn: ({ signal }) => call(columnValues.suggest, { params: { category: category.id, datasetId, column }, body }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  const values = (data?.values ?? []).map(({ value, rows }) => ({ value: String(value), rows })).filter(({ value }) => value.trim() !== "");
  // The only value that fits, typed to its end, needs no suggestion.
  return values.length === 1 && values[0]?.value === text.trim() ? [] : values;
}

interface InputEvents {
  onKey: (key: string) => boolean;
  onType: () => void;
  onPoint: () => void;
  onLeave: () => void;
}

/** Hears what happens in the field before its form and its dialog do. */
function useInputEvents(input: HTMLInputElement, events: InputEvents): void {
  const latest = useRef(events);
  useEffect(() => {
    latest.current = events;
  });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey || !latest.current.onKey(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    input.addEventListener("keydown", onKeyDown, { signal });
    input.addEventListener("input", () => latest.current.onType(), { signal });
    input.addEventListener("pointerdown", () => latest.current.onPoint(), { signal });
    input.addEventListener("blur", () => latest.current.onLeave(), { signal });
    return () => leaving.abort();
  }, [input]);
}

/** Tells assistive technology of the list and of the value that the keys have reached. */
function useListAttributes(input: HTMLInputElement, shown: { list: string; option: string | null } | null): void {
  const list = shown?.list ?? null;
  const option = shown?.option ?? null;
  useEffect(() => {
    input.setAttribute("aria-autocomplete", "list");
    for (const [name, value] of [
      ["aria-controls", list],
      ["aria-activedescendant", option],
      // Escape is the list's then, not the dialog's: Mantine hears it before anything else can.
      ["data-mantine-stop-propagation", list === null ? null : "true"],
    ] as const) {
      if (value === null) input.removeAttribute(name);
      else input.setAttribute(name, value);
    }
  }, [input, list, option]);
}
