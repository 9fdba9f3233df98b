import { pluralize } from "@fairway/contract/counts";
import { type ColumnType, columnTypeName, isTimestamp, type Operator } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import { ActionIcon, Button, Input, Popover } from "@mantine/core";
import { IconArrowBack } from "#ui/icons/arrow-back.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { forgetDraft, keepDraft } from "#lib/browser/drafts.ts";
import { isLinked } from "#parts/search-model/filter-list.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import { Hint } from "#ui/hint.tsx";
import { useKeptDraft } from "#ui/kept-draft.tsx";
import { filterText, isDayFilter, isTimeType, zoneNote } from "./filter-value.ts";
import { isKnownToOccur, occurs } from "./occurring-values.ts";
import { quoteIfNeeded } from "./several-values.ts";
import { type SuggestionSource, withoutEdited } from "./suggestion-source.ts";
import {
  addTyped,
  maxTypedCharacters,
  parseTyped,
  typedFields,
  typedText,
  type TypedField,
  type TypingStage,
  typingStage,
  withoutFilter,
} from "./typed-filter.ts";
import { hasSuggestions, ofPartText, useSuggestedValues } from "./value-suggestions.tsx";
import classes from "./filters.module.css";

export interface FilterBarProps {
  description: DatasetDescription;
  /** All filters of the search. Suggested values are those of their rows. */
  filters: SearchFilters;
  /** Names what is typed, which neither a reload nor another screen loses. A bar keeps its name. */
  draftName: string;
  /** Adds what is typed when the field is left, unless it has a problem. */
  addsOnBlur?: boolean;
  onChange: (filters: readonly FieldFilter[]) => void;
}

interface Option {
  readonly label: string;
  readonly note?: string | undefined;
  readonly detail: string;
  /** The text of the field once it is chosen. */
  readonly text: string;
}

/** The typed text, and the id of the filter that it changes. */
const typedInBar = z.object({ text: z.string(), edited: z.string().nullable() });

/** A field in which filters are typed, such as `wind >= 64 and name = Katrina`, with suggestions for each part. */
export function FilterBar({ description, filters: all, draftName, addsOnBlur = false, onChange }: FilterBarProps) {
  const { dynamic: filters } = all;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const kept = useKeptDraft(draftName, typedInBar);
  const [text, setText] = useState(kept?.text ?? "");
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [edited, setEdited] = useState<FieldFilter | null>(() => filters.find(({ id: filterId }) => filterId === kept?.edited) ?? null);
  // Deleting a text must not go on with the last filter, and a finger deletes one character too many easily.
  const [backspace, setBackspace] = useState<"edits" | "asks" | "asked">("edits");
  const fields = useMemo(() => typedFields(description, filters), [description, filters]);
  const stage = typingStage(text, fields);
  const suggesting = isOpen && stage.kind === "value" && hasSuggestions(stage.field.type, description) ? stage : undefined;
  const source = withoutEdited({ description, filters: all }, edited?.id);
  const suggested = useSuggestedValues(
    suggesting ? withTyped(source, text, suggesting.clauseFrom, fields) : source,
    suggesting?.field.name,
    suggesting?.typed ?? "",
  );
  const options = isOpen ? optionsOf(stage, text, fields, suggested.values) : [];
  // A partly typed column name cannot be added yet, so that Enter completes it.
  const active = chosen ?? (stage.kind === "column" && stage.typed !== "" && options.length > 0 ? 0 : -1);
  const isListed = options.length > 0;

  const change = (next: string) => {
    setText(next);
    setIsOpen(true);
    setChosen(null);
    setProblem(null);
    setBackspace("edits");
  };
  const reset = () => {
    change("");
    setIsOpen(false);
    setEdited(null);
  };
  const choose = (option: Option | undefined) => {
    if (!option) return;
    change(option.text);
    if (stage.kind === "value" || option.text.endsWith("empty")) setIsOpen(false);
    input.current?.focus();
  };
  const fail = (message: string) => {
    setProblem(message);
    setIsOpen(false);
  };
  const apply = (typed: Parameters<typeof addTyped>[2]) => {
    const result = addTyped(description, filters, typed, edited?.id);
    if ("problem" in result) {
      fail(result.problem);
      return;
    }
    reset();
    if (result.added.length === 0) announce("These filters are already there");
    else {
      announce(`${edited ? "Changed" : "Added"} ${result.added.map(filterText).join(" and ")}`);
      onChange(result.filters);
    }
  };
  const editedId = edited?.id ?? null;
  useEffect(() => {
    if (text === "" && editedId === null) forgetDraft(draftName);
    else keepDraft(draftName, { text, edited: editedId });
  }, [draftName, text, editedId]);
  const latest = useRef({ text, apply, fail });
  useEffect(() => {
    latest.current = { text, apply, fail };
  });
  /** Adds what is typed. A text that reads like several values is added only if it occurs. */
  const add = (isLeaving = false) => {
    if (text.trim() === "") {
      if (edited) onChange(withoutFilter(filters, edited.id, description));
      reset();
      return;
    }
    const parsed = parseTyped(text, fields, description);
    if ("problem" in parsed) {
      fail(parsed.problem);
      return;
    }
    const doubtful = parsed.doubtful.filter(({ name, value }) => !isKnownToOccur(source, name, value));
    const [first] = doubtful;
    if (first === undefined) apply(parsed.filters);
    else if (isLeaving || !hasSuggestions("STRING", description)) fail(first.hint);
    else {
      void Promise.all(doubtful.map(({ name, value }) => occurs(source, name, value))).then((known) => {
        const missing = doubtful.find((_, index) => known[index] !== true);
        // The text has changed since.
        if (latest.current.text !== text) return;
        if (missing) latest.current.fail(missing.hint);
        else latest.current.apply(parsed.filters);
      });
    }
  };
  const last = filters.findLast((filter) => !filter.preFilled && !isLinked(filter) && hasValue(filter));
  const editLast = (): boolean => {
    if (!last) return false;
    if (backspace === "asks") {
      setIsOpen(false);
      setBackspace("asked");
      return true;
    }
    change(typedText(last));
    setIsOpen(false);
    setEdited(last);
    return true;
  };
  const leave = () => {
    setIsOpen(false);
    setBackspace("edits");
    // Further typing would otherwise go on in this filter.
    if (edited && text === typedText(edited)) reset();
    else if (addsOnBlur && text.trim() !== "") add(true);
  };
  /** Returns true when the key is handled. */
  const handleKey = (key: string, isHeld: boolean): boolean => {
    if (key === "Backspace" && text === "" && edited === null) return isHeld || editLast();
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!isOpen) setIsOpen(true);
      else if (isListed) {
        const step = key === "ArrowDown" ? 1 : -1;
        // Wraps around through -1, which is the field itself.
        setChosen(((active + 1 + step + options.length + 1) % (options.length + 1)) - 1);
      }
      return true;
    }
    if (key === "Escape") {
      if (isListed || problem !== null) {
        setIsOpen(false);
        setProblem(null);
      } else if (edited) reset();
      else return false;
      return true;
    }
    if (key !== "Enter") return false;
    if (isListed && active >= 0) choose(options[active]);
    else if (text.trim() === "" && edited === null) return false;
    else add();
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey || !handleKey(event.key, event.repeat)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const note =
    problem !== null
      ? null
      : edited
        ? `Changes ${filterText(edited)}.`
        : backspace === "asked" && last
          ? `Backspace again changes ${filterText(last)}.`
          : null;
  const isShown = isListed || problem !== null || note !== null;
  // Its hints would lie over the footer of a form.
  useEffect(() => {
    if (isShown) input.current?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  return (
    <div
      className={classes["bar"]}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) leave();
      }}
    >
      <Popover
        opened={isShown}
        position="bottom-start"
        width="target"
        offset={2}
        shadow="sm"
        trapFocus={false}
        withRoles={false}
        returnFocus={false}
      >
        <Popover.Target>
          <Input
            ref={input}
            // Mantine would replace the description.
            withAria={false}
            role="combobox"
            aria-label="Type a filter"
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? `${id}-list` : undefined}
            aria-activedescendant={isListed && active >= 0 ? `${id}-${active}` : undefined}
            aria-describedby={isShown && !isListed ? `${id}-about` : undefined}
            placeholder="Type a filter"
            value={text}
            error={problem !== null}
            aria-invalid={problem !== null || undefined}
            maxLength={maxTypedCharacters}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="done"
            leftSection={<IconFilter size={16} aria-hidden />}
            rightSectionPointerEvents="all"
            rightSection={
              text.trim() !== "" && (
                <Hint label={edited ? "Save typed filter" : "Add typed filter"}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={24}
                    aria-label={edited ? "Save typed filter" : "Add typed filter"}
                    onClick={() => {
                      add();
                      input.current?.focus();
                    }}
                  >
                    <IconArrowBack size={16} aria-hidden />
                  </ActionIcon>
                </Hint>
              )
            }
            onChange={(event) => {
              change(event.currentTarget.value);
              if (event.currentTarget.value === "" && edited === null) setBackspace("asks");
            }}
            onPointerDown={() => setIsOpen(true)}
            onKeyDown={onKeyDown}
          />
        </Popover.Target>
        <Popover.Dropdown className={classes["typing"] ?? ""}>
          {problem !== null && (
            <p id={`${id}-about`} role="alert" className={classes["valueSuggestionsProblem"]}>
              {problem}
            </p>
          )}
          {note !== null && (
            <p id={`${id}-about`} className={classes["note"]}>
              {note}
              {edited && <span> Escape keeps it as it is.</span>}
            </p>
          )}
          {note !== null && edited && (
            <Button
              className={classes["keep"] ?? ""}
              variant="subtle"
              size="xs"
              tabIndex={-1}
              // The field must not lose the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={reset}
            >
              Keep it as it is
            </Button>
          )}
          {isListed && stage.kind !== "column" && stage.kind !== "done" && <AboutField field={stage.field} />}
          {isListed && (
            <div role="listbox" id={`${id}-list`} aria-label={listNames[stage.kind]} className={classes["list"]}>
              {options.map((option, index) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field keeps the focus and handles the keys
                <div
                  key={option.label}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  ref={index === active ? scrollIntoView : undefined}
                  className={classes["option"]}
                  // The field must not lose the focus to the list.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                >
                  <span className={classes["value"]}>{option.label}</span>
                  {option.note !== undefined && <small>{option.note}</small>}
                  <span className={classes["rows"]}>{option.detail}</span>
                </div>
              ))}
            </div>
          )}
          {isListed && suggested.areOfPart && <p className={classes["part"]}>{ofPartText}</p>}
          {isListed && (
            <p className={classes["keys"]} aria-hidden>
              <span>↑ ↓ choose</span>
              <span>Enter {active >= 0 ? "complete" : "add"}</span>
              <span>Esc close</span>
            </p>
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

const listNames = { column: "Columns", operator: "Operators", value: "Values", done: "Values" } as const;

/** With the conditions that are typed before the last one, which will apply as well. */
function withTyped(source: SuggestionSource, text: string, clauseFrom: number, fields: readonly TypedField[]): SuggestionSource {
  const { description, filters } = source;
  const parsed = parseTyped(text.slice(0, clauseFrom), fields, description);
  const added = "problem" in parsed ? parsed : addTyped(description, filters.dynamic, parsed.filters);
  return "problem" in added ? source : { description, filters: { ...filters, dynamic: added.filters } };
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });

function AboutField({ field }: { field: TypedField }) {
  const { name, description } = field;
  const note = unitOf(field);
  return (
    <p className={classes["valueSuggestionsAbout"]}>
      <strong>{name}</strong>
      {note !== undefined && <small>{note}</small>}
      <span title={description}>{description}</span>
    </p>
  );
}

const unitOf = (field: TypedField): string | undefined => field.unit ?? zoneNote(field);

const typeText = ({ type, day }: TypedField): string =>
  type === "number"
    ? "Number"
    : isDayFilter({ type, day })
      ? "Date"
      : isTimestamp(type)
        ? "Date and time"
        : columnTypeName[type satisfies ColumnType];

const operatorWords: Record<Operator, readonly [words: string, ofTimes?: string]> = {
  "=": ["equal to"],
  "<>": ["not equal to"],
  "<": ["less than", "before"],
  "<=": ["at most", "until"],
  ">": ["more than", "after"],
  ">=": ["at least", "from"],
};

/** Options that can follow the typed text. */
function optionsOf(
  stage: TypingStage,
  text: string,
  fields: readonly TypedField[],
  values: ReturnType<typeof useSuggestedValues>["values"],
): readonly Option[] {
  if (stage.kind === "done") return [];
  const before = text.slice(0, stage.from);
  const typed = stage.typed.trim().toLowerCase();
  if (stage.kind === "column") {
    const starting = fields.filter(({ name }) => name.toLowerCase().startsWith(typed));
    const containing = fields.filter((field) => !starting.includes(field) && field.name.toLowerCase().includes(typed));
    return [...starting, ...containing].map((field) => ({
      label: field.name,
      note: unitOf(field),
      detail: typeText(field),
      text: `${before}${field.name} `,
    }));
  }
  const { field } = stage;
  if (stage.kind === "operator") {
    const signs = field.operators.map((sign) => {
      const [words, ofTimes = words] = operatorWords[sign];
      return { label: sign, detail: isTimeType(field.type) ? ofTimes : words, text: `${before}${sign} ` };
    });
    const empty = field.canBeEmpty
      ? ["is empty", "is not empty"].map((label) => ({
          label,
          detail: label === "is empty" ? "rows without a value" : "rows with a value",
          text: `${before}${label}`,
        }))
      : [];
    return [...signs, ...empty].filter(({ label }) => label.startsWith(typed));
  }
  const offered =
    field.type === "BOOLEAN"
      ? ["true", "false"].filter((value) => value.startsWith(typed) && value !== typed).map((value) => ({ value, detail: "" }))
      : values.map(({ value, rows }) => ({ value, detail: rows === null ? "" : pluralize(rows, "row") }));
  return offered.map(({ value, detail }) => ({ label: value, detail, text: `${before}${quoteIfNeeded(value)}` }));
}
