import type { DatasetDescription, TimeExtent } from "@fairway/contract/datasets";
import { Button, Flex, Text, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { utcText } from "@fairway/contract/utc-texts";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import { island } from "#ui/island.tsx";
import { runAfterPointerUp } from "#ui/run-after-pointer-up.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import type { Edge } from "./time-input.ts";
import { LastFields } from "./time-last-fields.tsx";
import { presetGroupsOf, type TimePreset } from "./time-presets.ts";
import classes from "./filters.module.css";
import {
  dayOf,
  toDraft,
  withDays,
  parsePastedRange,
  validateRange,
  type RangeDraft,
  expandPastedRange,
  withLast,
} from "./time-range-draft.ts";

const RangeCalendar = island(async () => ({ default: (await import("./calendars.ts")).RangeCalendar }), { isLarge: true });

export interface TimeRangeDialogProps {
  opened: boolean;
  value: TimeRangeFilter | null;
  /** First and last time in the data, if known: shown as a hint and offered as presets. */
  extent: TimeExtent | null;
  /** The dataset whose days with rows the calendar marks. Null for several at once. */
  dataset: DatasetDescription | null;
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

/** Mounted on each opening, so it starts with the current range. */
function RangeForm({ value, extent, dataset, phone, onDone, onClose }: Omit<TimeRangeDialogProps, "opened"> & { phone: boolean }) {
  const [openedMs] = useState(() => Date.now());
  const [initial] = useState<RangeDraft>(() => toDraft(value && rangeAt(value, openedMs)));
  const [draft, setDraft] = useState(initial);
  useUnsavedChanges(!sameContent(draft, initial));
  // Problems are shown after a field lost focus or Done was pressed: half a date is not a mistake yet.
  const [touched, setTouched] = useState<{ start?: boolean; end?: boolean; last?: boolean }>({});
  // The calendar follows typed dates but not picked ones, which would make it jump under the pointer.
  const [month, setMonth] = useState(() => dayOf(draft.start, "start") ?? firstMonthShown(extent?.endMs ?? Date.now(), phone ? 1 : 2));
  const validation = validateRange(draft, openedMs);
  const presetGroups = presetGroupsOf(openedMs, extent);

  const write = (next: RangeDraft) => {
    setDraft(next);
    setMonth(dayOf(next.start, "start") ?? month);
  };
  const handleInput = (field: Edge, text: string, isTyped: boolean) => {
    // While typing, a range would match at the first year after its dash, so it is parsed on blur instead.
    const pasted = isTyped ? undefined : parsePastedRange(text);
    write(pasted ?? { start: draft.start, end: draft.end, [field]: text });
    setTouched(pasted ? { start: true, end: true } : { ...touched, [field]: false });
  };
  const handleBlur = (field: Edge) => {
    const range = parsePastedRange(draft[field]);
    if (range) write(range);
    const newlyTouched = range ? { start: true, end: true } : draft[field].trim() === "" ? {} : { [field]: true };
    runAfterPointerUp(() => setTouched((previous) => ({ ...previous, ...newlyTouched })));
  };
  const choose = (preset: TimePreset) => {
    write(toDraft(preset.rangeAt(Date.now())));
    setTouched({});
  };
  const done = () => {
    const expanded = expandPastedRange(draft);
    const { range } = validateRange(expanded, Date.now());
    if (expanded !== draft) write(expanded);
    setTouched({ start: true, end: true, last: true });
    if (range === undefined) return;
    onDone(range);
    onClose();
  };
  const field = (name: Edge, label: string, problem: string | undefined) => (
    <TextInput
      label={label}
      placeholder="MM/DD/YYYY, hh:mm:ss A"
      value={draft[name]}
      onChange={(event) => handleInput(name, event.currentTarget.value, isTypedCharacter(event.nativeEvent))}
      onBlur={() => handleBlur(name)}
      error={touched[name] ? problem : undefined}
      autoComplete="off"
      {...(name === "start" ? { "data-autofocus": true } : {})}
    />
  );

  return (
    <Flex
      component="form"
      direction="column"
      flex={1}
      mih={0}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog is inside the search form in React's tree, so its submit would bubble to it.
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
            {field("start", "Start", validation.startProblem)}
            {field("end", "End", validation.endProblem)}
          </div>
          <p className={classes["hint"]}>
            Type or paste a time, a day, or a whole range such as <span>2001-01-01 – 2001-02-01</span>. A day typed as the end counts up to
            23:59:59. Leave one of them empty for no limit on that side.
          </p>
          <LastFields
            value={draft.last}
            problem={touched.last ? validation.lastProblem : undefined}
            onChange={(last) => {
              write(withLast(draft, last, Date.now()));
              setTouched({ ...touched, last: false });
            }}
            onBlur={() => runAfterPointerUp(() => setTouched((previous) => ({ ...previous, last: true })))}
          />
          {extent && (
            <p className={classes["hint"]}>
              The data begins {utcText(extent.startMs)} and ends {utcText(extent.endMs)}.
            </p>
          )}
          <div className={classes["calendar"]}>
            <RangeCalendar
              start={dayOf(draft.start, "start")}
              end={validation.range === undefined ? null : dayOf(draft.end, "end")}
              month={month}
              onMonthChange={setMonth}
              columns={phone ? 1 : 2}
              extent={extent}
              dataset={dataset}
              onChange={(start, end) => {
                setDraft(withDays(draft, start, end));
                setTouched({});
              }}
            />
          </div>
        </div>
      </div>
      <footer className={classes["footer"]}>
        <Text span size="xs" mr="auto" c="dimmed">
          All times are in UTC
        </Text>
        <Button variant="default" onClick={() => write({ start: "", end: "" })}>
          Clear
        </Button>
        <Button type="submit">Done</Button>
      </footer>
    </Flex>
  );
}

/** A day of the first of some months, the last of which has the end of the data. */
function firstMonthShown(endMs: number, months: number): string {
  const end = new Date(endMs);
  return new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - months + 1, 1)).toISOString().slice(0, 10);
}

const isTypedCharacter = (event: Event): boolean =>
  event instanceof InputEvent && event.inputType === "insertText" && event.data?.length === 1;

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
