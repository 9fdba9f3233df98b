import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { openAlternative, typingStage } from "@fairway/contract/filter-typing";
import { ActionIcon, Button, Input, Popover } from "@mantine/core";
import { IconArrowBack } from "#ui/icons/arrow-back.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { forgetDraft, keepDraft } from "#lib/browser/drafts.ts";
import { isLinked, withoutValue } from "#parts/search-model/filter-list.ts";
import type { FormFilter } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import { Hint } from "#ui/hint.tsx";
import { useKeptDraft } from "#ui/kept-draft.tsx";
import { type Option, optionsOf, unitOf } from "./filter-options.ts";
import { likelyReading, occursAsOne, useAddedList, useReadings } from "./filter-readings.ts";
import { filterText } from "./filter-value.ts";
import { type SuggestionSource, withoutEdited } from "./suggestion-source.ts";
import { addTyped, maxTypedCharacters, parseTyped, typedFields, typedText, type TypedField } from "./typed-filter.ts";
import { hasSuggestions, ofPartText, useSuggestedValues } from "./value-suggestions.tsx";
import classes from "./filters.module.css";

export interface FilterBarProps {
  description: DatasetDescription;
  /** All filters of the search. Suggested values are those of their rows. */
  filters: SearchFilters;
  /** Columns that the search adds to those of its dataset. */
  added: SearchColumns | undefined;
  /** Names what is typed, which neither a reload nor another screen loses. A bar keeps its name. */
  draftName: string;
  /** Adds what is typed when the field is left, unless it has a problem. */
  addsOnBlur?: boolean;
  onChange: (filters: readonly FormFilter[]) => void;
}

/** The typed text, and the id of the filter that it changes. */
const typedInBar = z.object({ text: z.string(), edited: z.string().nullable() });

/** A field in which filters are typed, such as `wind >= 64 and name = Katrina`, with suggestions for each part. */
export function FilterBar({ description, filters: all, added: addedColumns, draftName, addsOnBlur = false, onChange }: FilterBarProps) {
  const { dynamic: filters } = all;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const kept = useKeptDraft(draftName, typedInBar);
  const [text, setText] = useState(kept?.text ?? "");
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [edited, setEdited] = useState<FormFilter | null>(() => filters.find(({ id: filterId }) => filterId === kept?.edited) ?? null);
  // Deleting a text must not go on with the last filter, and a finger deletes one character too many easily.
  const [backspace, setBackspace] = useState<"edits" | "asks" | "asked">("edits");
  const fields = useMemo(() => typedFields(description, filters), [description, filters]);
  const stage = typingStage(text, fields);
  const suggesting =
    isOpen &&
    stage.kind === "value" &&
    !stage.operator.endsWith("h") &&
    !stage.operator.endsWith("contains") &&
    hasSuggestions(stage.field.type, description)
      ? stage
      : undefined;
  const source = withoutEdited({ description, filters: all, added: addedColumns }, edited?.id);
  const suggested = useSuggestedValues(
    suggesting ? withTyped(source, text, suggesting.clauseFrom, fields) : source,
    suggesting?.field.name,
    suggesting?.typed ?? "",
  );
  const doubt = useMemo(() => firstDoubt(text, fields, description), [text, fields, description]);
  const readings = useReadings(source, text, fields, isOpen ? doubt : undefined);
  const completions = isOpen ? optionsOf(stage, text, fields, suggested.values) : [];
  const options = [...completions, ...readings.options];
  // A partly typed column name cannot be added yet, so that Enter completes it.
  const preset = readings.marked >= 0 ? completions.length + readings.marked : stage.kind === "column" && stage.typed !== "" ? 0 : -1;
  const active = chosen ?? (preset < options.length ? preset : -1);
  const isListed = options.length > 0;
  const added = useAddedList(
    source,
    isOpen && stage.kind === "value" && doubt === undefined ? (options[active]?.text ?? text) : undefined,
    fields,
  );

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
    if (option.adds === true) {
      change(option.text);
      add(option.text);
      return;
    }
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
      announce(
        `${edited ? "Changed" : "Added"} ${result.added.map((filter) => filterText(filter, description.schema.columns)).join(" and ")}`,
      );
      onChange(result.filters);
    }
  };
  const editedId = edited?.id ?? null;
  useEffect(() => {
    if (text === "" && editedId === null) forgetDraft(draftName);
    else keepDraft(draftName, { text, edited: editedId });
  }, [draftName, text, editedId]);
  const latest = useRef({ text, fail, change, add });
  useEffect(() => {
    latest.current = { text, fail, change, add };
  });
  /** Adds what is typed. Of a text that reads like several values, it takes the list if its parts occur; without lists, one that occurs. */
  function add(typed: string = text, isLeaving = false): void {
    if (typed.trim() === "") {
      if (edited) onChange(withoutValue(description, filters, edited));
      reset();
      return;
    }
    const parsed = parseTyped(typed, fields, description);
    if ("problem" in parsed) {
      fail(parsed.problem);
      return;
    }
    const [first] = parsed.doubtful;
    if (first === undefined) {
      apply(parsed.filters);
      return;
    }
    const replaced = (reading: string) => `${typed.slice(0, first.from)}${reading}${typed.slice(first.to)}`;
    const { asList, asValue, hint } = first;
    if (asList !== undefined && asValue === undefined) add(replaced(asList));
    else if (isLeaving || (asList === undefined && !hasSuggestions("STRING", description))) {
      fail(asList === undefined ? hint : `This reads like a list. Type ${asList}, or ${asValue} for one text.`);
    } else {
      const decided =
        asList === undefined
          ? occursAsOne(source, first).then((occurs) => (occurs ? asValue : undefined))
          : likelyReading(source, first).then((reading) => (reading === "list" ? asList : asValue));
      void decided.then((reading) => {
        // The text has changed since.
        if (latest.current.text !== typed) return;
        if (reading === undefined) latest.current.fail(hint);
        else {
          latest.current.change(replaced(reading));
          latest.current.add(replaced(reading));
        }
      });
    }
  }
  const last = filters.findLast((filter) => !filter.preFilled && !isLinked(filter) && hasValue(filter));
  const editLast = (): boolean => {
    if (!last) return false;
    if (backspace === "asks") {
      setIsOpen(false);
      setBackspace("asked");
      return true;
    }
    change(typedText(last, fields));
    setIsOpen(false);
    setEdited(last);
    return true;
  };
  const leave = () => {
    setIsOpen(false);
    setBackspace("edits");
    // Further typing would otherwise go on in this filter.
    if (edited && text === typedText(edited, fields)) reset();
    else if (addsOnBlur && text.trim() !== "") add(text, true);
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
    if (isListed && chosen === null && readings.marked >= 0) add();
    else if (isListed && active >= 0) choose(options[active]);
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
        ? `Changes ${filterText(edited, description.schema.columns)}.`
        : backspace === "asked" && last
          ? `Backspace again changes ${filterText(last, description.schema.columns)}.`
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
          {suggesting && isListed && suggested.areOfPart && <p className={classes["part"]}>{ofPartText}</p>}
          {isListed && added && (
            <div className={classes["adds"]}>
              <small>Adds</small>
              <div>
                <span className={classes["value"]}>{added.text}</span>
                <span className={classes["rows"]}>{added.rows}</span>
              </div>
            </div>
          )}
          {isListed && (
            <p className={classes["keys"]} aria-hidden>
              <span>↑ ↓ choose</span>
              <span>Enter {active >= 0 && options[active]?.adds !== true ? "complete" : "add"}</span>
              <span>Esc close</span>
            </p>
          )}
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}

const listNames = { column: "Columns", operator: "Operators", value: "Values", done: "Values" } as const;

/** With the conditions that are typed before the last one and hold together with it. */
function withTyped(source: SuggestionSource, text: string, clauseFrom: number, fields: readonly TypedField[]): SuggestionSource {
  const { description, filters } = source;
  const before = text.slice(0, clauseFrom);
  const parsed = parseTyped(before.slice(openAlternative(before, fields)), fields, description);
  const added = "problem" in parsed ? parsed : addTyped(description, filters.dynamic, parsed.filters);
  return "problem" in added ? source : { ...source, filters: { ...filters, dynamic: added.filters } };
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

/** The first value of a text that reads like several. */
function firstDoubt(text: string, fields: readonly TypedField[], description: DatasetDescription) {
  const parsed = parseTyped(text, fields, description);
  return "problem" in parsed ? undefined : parsed.doubtful[0];
}
