import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { isoDay } from "#lib/time/dates.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { Asked } from "@fairway/contract/charts/asked";
import classes from "./summaries.module.css";

interface Props {
  record: SearchRecord;
  asked: Asked;
  onChange: (asked: Asked) => void;
}

const dayMs = 86_400_000;

/** Another period beside that of the search: the one before, the one a year before, or any days in UTC. */
export function Compare({ record, asked, onChange }: Props) {
  const { timeRange } = record.filters;
  const hasEnds = timeRange !== null && timeRange.startMs !== null && timeRange.endMs !== null;
  const to = asked.compare?.to;
  const value = to === undefined ? "" : typeof to === "object" ? "range" : to;
  const [days, setDays] = useState(() => daysOf(to, hasEnds ? (timeRange.startMs ?? 0) : 0));
  const set = (next: NonNullable<Asked["compare"]>["to"] | undefined) => {
    const { compare: _, ...plain } = asked;
    onChange(next === undefined ? plain : { ...plain, compare: { to: next } });
  };
  const setRange = (next: typeof days) => {
    setDays(next);
    const range = rangeOf(next);
    if (range) set(range);
  };
  return (
    <>
      <NativeSelect
        aria-label="Compare with"
        value={value}
        disabled={!hasEnds && value === ""}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          if (chosen === "range") setRange(days);
          else set(chosen === "before" || chosen === "year-before" ? chosen : undefined);
        }}
        data={[
          { value: "", label: "Nothing" },
          { value: "before", label: "The period before" },
          { value: "year-before", label: "The same a year before" },
          { value: "range", label: "These days …" },
        ]}
      />
      {!hasEnds && <p className={classes["hint"]}>A comparison needs a time range with both ends.</p>}
      {value === "range" && (
        <div className={classes["two"]}>
          <TextInput
            type="date"
            aria-label="First day of the comparison"
            value={days.from}
            onChange={(event) => setRange({ ...days, from: event.currentTarget.value })}
          />
          <TextInput
            type="date"
            aria-label="Last day of the comparison"
            value={days.to}
            error={rangeOf(days) ? undefined : "The last day is not after the first."}
            onChange={(event) => setRange({ ...days, to: event.currentTarget.value })}
          />
        </div>
      )}
    </>
  );
}

interface Days {
  from: string;
  to: string;
}

/** The days of a chosen range; at first the month of days before the search. */
function daysOf(to: NonNullable<Asked["compare"]>["to"] | undefined, startMs: number): Days {
  if (typeof to === "object") return { from: to.start?.slice(0, 10) ?? "", to: to.end?.slice(0, 10) ?? "" };
  return { from: isoDay(startMs - 30 * dayMs) ?? "", to: isoDay(startMs - dayMs) ?? "" };
}

/** Null while a day is missing, or they are in the wrong order. */
function rangeOf({ from, to }: Days): { start: string; end: string } | null {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  if (Number.isNaN(start) || Number.isNaN(end) || end < start) return null;
  return { start: `${from}T00:00:00Z`, end: `${to}T23:59:59Z` };
}
