import type { DatasetDescription, TimeExtent } from "@fairway/contract/datasets";
import { ActionIcon, Flex, Group } from "@mantine/core";
import { IconCalendar } from "#ui/icons/calendar.ts";
import { IconX } from "#ui/icons/x.ts";
import { type Ref, useId, useImperativeHandle, useState } from "react";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { rangeAt, rangeText } from "#parts/search-model/time-range.ts";
import { Hint } from "#ui/hint.tsx";
import { quickPresets } from "./time-presets.ts";
import { TimeRangeDialog } from "./time-range-dialog.tsx";
import uiClasses from "#ui/ui.module.css";
import classes from "./filters.module.css";

export interface FieldHandle {
  /** Opens the dialog of the field. */
  open: () => void;
}

interface Props {
  ref?: Ref<FieldHandle>;
  value: TimeRangeFilter | null;
  extent: TimeExtent | null;
  /** Null for several at once. */
  dataset: DatasetDescription | null;
  onChange: (range: TimeRangeFilter | null) => void;
}

/** The time range field of a form: the summary opens the dialog, common ranges are below. */
export function TimeRangeField({ ref, value, extent, dataset, onChange }: Props) {
  const id = useId();
  // Null until first opened: the dialog mounts on first use.
  const [opened, setOpened] = useState<boolean | null>(null);
  useImperativeHandle(ref, () => ({ open: () => setOpened(true) }), []);
  const [mountedMs] = useState(() => Date.now());
  // The tooltip of a relative range shows its start and end as of the last hover or focus.
  const [tooltipMs, setTooltipMs] = useState(mountedMs);
  const refreshTooltip = () => setTooltipMs(Date.now());
  const presets = quickPresets(mountedMs, extent);
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={classes["timeRangeFieldHeading"]}>
        Time range <span>UTC</span>
      </h3>
      <Group gap="xs" wrap="nowrap">
        <button
          type="button"
          className={uiClasses["valueButton"]}
          data-empty={value === null || undefined}
          aria-haspopup="dialog"
          {...(value?.last ? { title: rangeText(rangeAt(value, tooltipMs)), onPointerEnter: refreshTooltip, onFocus: refreshTooltip } : {})}
          onClick={() => setOpened(true)}
        >
          <IconCalendar size={16} aria-hidden />
          <span className="visually-hidden">Time range: </span>
          {/* The heading names the time zone. */}
          <span>{value ? value.text.replace(/ UTC$/, "") : "Any time"}</span>
        </button>
        {value && (
          <Hint label="Clear time range">
            <ActionIcon variant="subtle" color="gray" size={32} aria-label="Clear time range" onClick={() => onChange(null)}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Hint>
        )}
      </Group>
      {value?.last && <p className={classes["relativeNote"]}>Relative to when the search runs.</p>}
      <Flex gap="xs" wrap="wrap" mt="sm">
        {presets.map(({ label, rangeAt: presetAt }) => (
          <button key={label} type="button" className={classes["timeRangeFieldPreset"]} onClick={() => onChange(presetAt(Date.now()))}>
            {label}
          </button>
        ))}
        <button type="button" className={classes["timeRangeFieldPreset"]} aria-haspopup="dialog" onClick={() => setOpened(true)}>
          Custom…
        </button>
      </Flex>
      {opened !== null && (
        <TimeRangeDialog
          opened={opened}
          value={value}
          extent={extent}
          dataset={dataset}
          onClose={() => setOpened(false)}
          onDone={onChange}
        />
      )}
    </section>
  );
}
