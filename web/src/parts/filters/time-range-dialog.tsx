import type { TimeExtent } from "@fairway/contract/datasets";
import { Button, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { utcText } from "#lib/dates.ts";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog.tsx";
import { LastFields } from "./time-last-fields.tsx";
import type { Edge } from "./time-input.ts";
import { presetGroupsOf, type TimePreset } from "./time-presets.ts";
import { dayOf, draftOf, draftOfDays, draftOfPasted, judge, type RangeDraft, spread, withLast } from "./time-range-draft.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import classes from "./time-range-dialog.module.css";

const RangeCalendar = lazyPart(async () => ({ default: (await import("./time-calendar.tsx")).RangeCalendar }), { isLarge: true });

export interface TimeRangeDialogProps {
  opened: boolean;
  value: TimeRangeFilter | null;
  /** First and last time in the data, where known: shown, and offered as presets. */
  extent: TimeExtent | null;
  onClose: () => void;
  /** Null: any time. */
  onDone: (range: TimeRangeFilter | null) => void;
}

/** 'Select Date and Time Range': typed, pasted, picked or preset. */
export function TimeRangeDialog({ opened, onClose, ...rest }: TimeRangeDialogProps) {
  const phone = useMediaQuery("(max-width: 720px)") ?? false;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Select Date and Time Range"
      size={712}
      padding={0}
      fillsPhone
      classNames={{ header: classes["header"] ?? "", content: classes["content"] ?? "", body: classes["dialog"] ?? "" }}
    >
      <RangeForm phone={phone} onClose={onClose} {...rest} />
    </Dialog>
  );
}

/** Mounted with each opening, so that it begins with the range as it is. */
function RangeForm({ value, extent, phone, onDone, onClose }: Omit<TimeRangeDialogProps, "opened"> & { phone: boolean }) {
  const [shownMs] = useState(() => Date.now());
  const [draft, setDraft] = useState<RangeDraft>(() => draftOf(value && rangeAt(value, shownMs)));
  // Problems wait until the field is left or Done is pressed: half a date is not a mistake yet.
  const [shown, setShown] = useState<{ start?: boolean; end?: boolean; last?: boolean }>({});
  // The calendar follows what is typed, not what is picked in it: it would jump under the pointer.
  const [month, setMonth] = useState(() => dayOf(draft.start, "start") ?? new Date(extent?.endMs ?? Date.now()).toISOString().slice(0, 10));
  const verdict = judge(draft, shownMs);
  const presetGroups = presetGroupsOf(shownMs, extent);

  const write = (next: RangeDraft) => {
    setDraft(next);
    setMonth(dayOf(next.start, "start") ?? month);
  };
  const type = (field: Edge, text: string, letter: boolean) => {
    // Letter by letter a range would already be one at the first year behind its dash: it is read when the field is left.
    const pasted = letter ? undefined : draftOfPasted(text);
    write(pasted ?? { start: draft.start, end: draft.end, [field]: text });
    setShown(pasted ? { start: true, end: true } : { ...shown, [field]: false });
  };
  const leave = (field: Edge) => {
    const whole = draftOfPasted(draft[field]);
    if (whole) write(whole);
    const told = whole ? { start: true, end: true } : draft[field].trim() === "" ? {} : { [field]: true };
    runAfterPointerUp(() => setShown((before) => ({ ...before, ...told })));
  };
  const choose = (preset: TimePreset) => {
    write(draftOf(preset.rangeAt(Date.now())));
    setShown({});
  };
  const done = () => {
    const whole = spread(draft);
    const { range } = judge(whole, Date.now());
    if (whole !== draft) write(whole);
    setShown({ start: true, end: true, last: true });
    if (range === undefined) return;
    onDone(range);
    onClose();
  };
  const field = (name: Edge, label: string, problem: string | undefined) => (
    <TextInput
      label={label}
      placeholder="MM/DD/YYYY, hh:mm:ss A"
      value={draft[name]}
      onChange={(event) => type(name, event.currentTarget.value, isLetter(event.nativeEvent))}
      onBlur={() => leave(name)}
      error={shown[name] ? problem : undefined}
      autoComplete="off"
      {...(name === "start" ? { "data-autofocus": true } : {})}
    />
  );

  return (
    <form
      className={classes["form"]}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The form stands inside the filter form in React's tree: its Enter is not a search.
        event.stopPropagation();
        done();
      }}
    >
      <div className={classes["columns"]}>
        <div className={classes["presets"]}>
          {presetGroups.map(({ label, presets }) => (
            <PresetList key={label} label={label} presets={presets} onChoose={choose} />
          ))}
        </div>
        <div className={classes["main"]}>
          <div className={classes["fields"]}>
            {field("start", "Start", verdict.startProblem)}
            {field("end", "End", verdict.endProblem)}
          </div>
          <p className={classes["hint"]}>
            Type or paste a time, a day, or a whole range such as <span>2001-01-01 – 2001-02-01</span>. A day typed as the end counts up to
            23:59:59.
          </p>
          <LastFields
            value={draft.last}
            problem={shown.last ? verdict.lastProblem : undefined}
            onChange={(last) => {
              write(withLast(draft, last, Date.now()));
              setShown({ ...shown, last: false });
            }}
            onBlur={() => runAfterPointerUp(() => setShown((before) => ({ ...before, last: true })))}
          />
          {extent && (
            <p className={classes["hint"]}>
              The data begins {utcText(extent.startMs)} and ends {utcText(extent.endMs)}.
            </p>
          )}
          <div className={classes["calendar"]}>
            <RangeCalendar
              start={dayOf(draft.start, "start")}
              end={verdict.range === undefined ? null : dayOf(draft.end, "end")}
              month={month}
              onMonth={setMonth}
              columns={phone ? 1 : 2}
              onChange={(start, end) => {
                setDraft(draftOfDays(draft, start, end));
                setShown({});
              }}
            />
          </div>
        </div>
      </div>
      <footer className={classes["footer"]}>
        <span className={classes["zone"]}>All times are in UTC</span>
        <Button variant="default" onClick={() => write({ start: "", end: "" })}>
          Clear
        </Button>
        <Button type="submit">Done</Button>
      </footer>
    </form>
  );
}

const isLetter = (event: Event): boolean => event instanceof InputEvent && event.inputType === "insertText" && event.data?.length === 1;

function PresetList({
  label,
  presets,
  onChoose,
}: {
  label: string;
  presets: readonly TimePreset[];
  onChoose: (preset: TimePreset) => void;
}) {
  return (
    <div role="group" aria-label={label} className={classes["group"]}>
      <span className={classes["groupLabel"]} aria-hidden>
        {label}
      </span>
      {presets.map((preset) => (
        <button key={preset.label} type="button" className={classes["preset"]} onClick={() => onChoose(preset)}>
          {preset.label}
        </button>
      ))}
    </div>
  );
}
