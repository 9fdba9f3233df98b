import { CloseButton, NativeSelect, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { type AuditQuery, responseCodesQuery, usernamesQuery } from "./queries.ts";
import classes from "./auditing.module.css";

const methods = ["GET", "POST", "PUT", "DELETE"];
const debounceMs = 300;

interface Props {
  filters: AuditQuery;
  onChange: (filters: AuditQuery) => void;
}

/** What narrows the log; what is left empty narrows nothing. */
export function AuditFilterBar({ filters, onChange }: Props) {
  const usernames = useQuery(usernamesQuery);
  const codes = useQuery(responseCodesQuery);
  const failure = usernames.error ?? codes.error;
  useEffect(() => {
    if (failure) logFailure("The choices of the audit log could not be loaded", failure);
  }, [failure]);
  const set = (name: keyof AuditQuery, value: string | null) => {
    const { [name]: _, ...others } = filters;
    onChange(value === null || value === "" ? others : { ...others, [name]: value });
  };
  return (
    <div role="search" aria-label="Filters" className={classes["filters"]}>
      <Choice label="Username" all="Everyone" data={usernames.data} value={filters.username} onChange={(value) => set("username", value)} />
      <Choice
        label="Response Code"
        all="All"
        data={codes.data?.map(String)}
        value={filters.responseCode}
        onChange={(value) => set("responseCode", value)}
      />
      <Choice label="Method" all="All" data={methods} value={filters.method} onChange={(value) => set("method", value)} />
      <PathInput value={filters.path ?? ""} onChange={(value) => set("path", value)} />
      <TimeInput label="From" value={filters.from} onChange={(value) => set("from", value)} />
      <TimeInput label="To" value={filters.to} isEnd onChange={(value) => set("to", value)} />
    </div>
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

/** Asks once the typing pauses. */
function PathInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  useEffect(() => {
    const timer = text === value ? undefined : setTimeout(() => onChange(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <TextInput
      label="Path"
      placeholder="Contains"
      value={text}
      maxLength={500}
      onChange={(event) => setText(event.currentTarget.value)}
      rightSection={text !== "" && <CloseButton size="sm" aria-label="Clear path" onClick={() => setText("")} />}
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
