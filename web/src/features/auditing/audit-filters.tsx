import { Button, CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { type AuditQuery, responseCodesQuery, usernamesQuery } from "./queries.ts";
import classes from "./auditing.module.css";

const methods = ["GET", "POST", "PUT", "DELETE"];
const debounceMs = 300;
const isResponseCode = (text: string): boolean => /^[1-5]\d\d$/.test(text);

interface Props {
  id: string;
  /** On a phone they are out of sight until they are asked for. */
  opened: boolean;
  filters: AuditQuery;
  onChange: (filters: AuditQuery) => void;
}

/** What narrows the log; what is left empty narrows nothing. */
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
        isWhole={isResponseCode}
        loading={codes}
        value={filters.responseCode}
        onChange={(value) => set("responseCode", value)}
      />
      <Choice label="Method" all="All" data={methods} value={filters.method} onChange={(value) => set("method", value)} />
      <TypedInput label="Path" placeholder="Contains" value={filters.path ?? ""} onChange={(value) => set("path", value)} />
      <TimeInput label="From" value={filters.from} onChange={(value) => set("from", value)} />
      <TimeInput label="To" value={filters.to} isEnd onChange={(value) => set("to", value)} />
    </div>
  );
}

interface LoadedChoiceProps extends Omit<ChoiceProps, "data"> {
  /** What is said where the choices could not be loaded. */
  problem: string;
  /** Whether what is typed instead can be asked for. */
  isWhole?: (text: string) => boolean;
  loading: UseQueryResult<readonly (string | number)[]>;
}

/** A choice among what the log holds; typed where that could not be loaded. */
function LoadedChoice({ problem, isWhole, loading: { data, isError, isFetching, refetch }, ...choice }: LoadedChoiceProps) {
  const { label, value = "", onChange } = choice;
  if (data !== undefined || !isError) return <Choice {...choice} data={data?.map(String)} />;
  return (
    <TypedInput
      label={label}
      placeholder={choice.all}
      value={value}
      isWhole={isWhole}
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
  /** What stands there when nothing is chosen. */
  all: string;
  data: readonly string[] | undefined;
  value: string | undefined;
  onChange: (value: string) => void;
}

const none: readonly string[] = [];

function Choice({ label, all, data = none, value = "", onChange }: ChoiceProps) {
  const values = value === "" || data.includes(value) ? data : [value, ...data];
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: "", label: all }, ...values.map((one) => ({ value: one, label: one }))]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface TypedInputProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Whether it can be asked for; anything can without it, and nothing always. */
  isWhole?: ((text: string) => boolean) | undefined;
  error?: ReactNode;
}

/** Asks once the typing pauses. */
function TypedInput({ label, placeholder, value, onChange, isWhole, error }: TypedInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = text === value || (text !== "" && isWhole?.(text) === false) ? undefined : setTimeout(() => onChange(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange, isWhole]);
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
  /** The whole of the second that is named belongs to the range. */
  isEnd?: boolean;
  onChange: (value: string | null) => void;
}

function TimeInput({ label, value, isEnd = false, onChange }: TimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label={label}
      defaultValue={value === undefined ? "" : localInput(value)}
      onChange={(event) => {
        const ms = new Date(event.currentTarget.value).getTime();
        onChange(Number.isNaN(ms) ? null : new Date(ms + (isEnd ? 999 : 0)).toISOString());
      }}
    />
  );
}

/** As the browser's own field writes this machine's time. */
function localInput(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
