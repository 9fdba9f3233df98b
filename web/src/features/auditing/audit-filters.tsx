import { Button, CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { localTime } from "#lib/time/local-time.ts";
import { LocalTimeInput } from "#parts/filters/local-time-input.tsx";
import { parseLocalTime } from "#parts/filters/local-time-text.ts";
import { type AuditQuery, rememberBackground, responseCodesQuery, usernamesQuery } from "./queries.ts";
import classes from "./auditing.module.css";

const methods = ["GET", "POST", "PUT", "DELETE"];
const debounceMs = 300;
const isResponseCode = (text: string): boolean => /^[1-5]\d\d$/.test(text);

interface Props {
  id: string;
  /** On a phone, the filters are hidden until opened. */
  opened: boolean;
  filters: AuditQuery;
  onChange: (filters: AuditQuery) => void;
}

/** The filters of the audit log. Empty ones do not filter. */
export function AuditFilterBar({ id, opened, filters, onChange }: Props) {
  const usernames = useQuery(usernamesQuery);
  const codes = useQuery(responseCodesQuery);
  const set = (name: keyof AuditQuery, value: string | null) => {
    const { [name]: _, ...others } = filters;
    onChange(value === null || value === "" ? others : { ...others, [name]: value });
  };
  return (
    <div id={id} role="search" aria-label="Filters" className={classes["filters"]} data-opened={opened || undefined}>
      <LoadedChoice
        label="Username"
        all="Everyone"
        problem="The usernames could not be loaded."
        loading={usernames}
        value={filters.username}
        onChange={(value) => set("username", value)}
      />
      <LoadedChoice
        label="Response Code"
        all="All"
        problem="The codes could not be loaded."
        isComplete={isResponseCode}
        loading={codes}
        value={filters.responseCode}
        onChange={(value) => set("responseCode", value)}
      />
      <Choice label="Method" all="All" data={methods} value={filters.method} onChange={(value) => set("method", value)} />
      <TypedInput label="Path" placeholder="Contains" value={filters.path ?? ""} onChange={(value) => set("path", value)} />
      <TimeInput label="From" value={filters.from} onChange={(value) => set("from", value)} />
      <TimeInput label="To" value={filters.to} isEnd onChange={(value) => set("to", value)} />
      <label
        className={classes["background"]}
        title="Hides requests that pages make automatically, such as for new notices, unless they failed"
      >
        <input
          type="checkbox"
          checked={filters.hideBackground === "true"}
          onChange={(event) => {
            const hide = event.currentTarget.checked;
            rememberBackground(hide);
            set("hideBackground", hide ? "true" : null);
          }}
        />
        Hide background reads
      </label>
    </div>
  );
}

interface LoadedChoiceProps extends Omit<ChoiceProps, "data"> {
  /** Shown when the choices could not be loaded. */
  problem: string;
  /** Whether typed text is a complete value. */
  isComplete?: (text: string) => boolean;
  loading: UseQueryResult<readonly (string | number)[]>;
}

/** A choice among the values in the log, or a text field when those could not be loaded. */
function LoadedChoice({ problem, isComplete, loading: { data, isError, isFetching, refetch }, ...choice }: LoadedChoiceProps) {
  const { label, value = "", onChange } = choice;
  if (data !== undefined || !isError) return <Choice {...choice} data={data?.map(String)} />;
  return (
    <TypedInput
      label={label}
      placeholder={choice.all}
      value={value}
      isComplete={isComplete}
      onChange={onChange}
      error={
        <>
          {problem}{" "}
          <Button variant="subtle" size="compact-xs" loading={isFetching} aria-label={`Retry: ${label}`} onClick={() => void refetch()}>
            Retry
          </Button>
        </>
      }
    />
  );
}

interface ChoiceProps {
  label: string;
  /** The option for no filter. */
  all: string;
  data: readonly string[] | undefined;
  value: string | undefined;
  onChange: (value: string) => void;
}

const noChoices: readonly string[] = [];

function Choice({ label, all, data = noChoices, value = "", onChange }: ChoiceProps) {
  const values = value === "" || data.includes(value) ? data : [value, ...data];
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: "", label: all }, ...values.map((choice) => ({ value: choice, label: choice }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface TypedInputProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Whether a non-empty text is a complete value; defaults to any. */
  isComplete?: ((text: string) => boolean) | undefined;
  error?: ReactNode;
}

/** A debounced text field. */
function TypedInput({ label, placeholder, value, onChange, isComplete, error }: TypedInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer =
      text === value || (text !== "" && isComplete?.(text) === false) ? undefined : setTimeout(() => onChange(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange, isComplete]);
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      error={error}
      value={text}
      maxLength={500}
      onChange={(event) => setText(event.currentTarget.value)}
      rightSection={text !== "" && <CloseButton size="sm" aria-label={`Clear ${label.toLowerCase()}`} onClick={() => setText("")} />}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

interface TimeInputProps {
  label: string;
  /** ISO, UTC. */
  value: string | undefined;
  /** Includes the whole of the named second. */
  isEnd?: boolean;
  onChange: (value: string | null) => void;
}

function TimeInput({ label, value, isEnd = false, onChange }: TimeInputProps) {
  const edge = isEnd ? "end" : "start";
  const [text, setText] = useState(() => (value === undefined ? "" : localTime(Date.parse(value))));
  return (
    <LocalTimeInput
      label={label}
      value={text}
      edge={edge}
      onChange={(next) => {
        setText(next);
        const epochMs = parseLocalTime(next, edge);
        // The list stays as it is until the time is complete.
        if (epochMs !== undefined) onChange(epochMs === null ? null : new Date(epochMs + (isEnd ? 999 : 0)).toISOString());
      }}
    />
  );
}
