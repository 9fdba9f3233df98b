import { type BreakdownGrouping, breakdownLimits, breakdownUnit, weekStart } from "@fairway/contract/breakdowns";
import { columnTitleIn, isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Checkbox, Group, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { browserZone } from "#lib/time/time-zone.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { edgesOf, groupingLabel, zonesWith } from "./model/grouping-choices.ts";
import { labeledBreakdown, measureLabel } from "@fairway/contract/charts/measure-wording";
import { type Asked, measureId } from "@fairway/contract/charts/asked";
import { byValues } from "./model/summary.ts";
import { GroupsFields } from "./editor-groups.tsx";
import classes from "./summaries.module.css";

type Of<Kind extends BreakdownGrouping["kind"]> = Extract<BreakdownGrouping, { kind: Kind }>;

interface Props<Grouping> {
  grouping: Grouping;
  description: DatasetDescription;
  asked: Asked;
  onChange: (grouping: BreakdownGrouping) => void;
}

/** A grouping, and which groups it makes. */
export function GroupingFields({ onRemove, ...props }: Props<BreakdownGrouping> & { onRemove: () => void }) {
  const { grouping, description } = props;
  const label = groupingLabel(grouping, description.schema.columns);
  return (
    <div role="group" aria-label={label} className={classes["grouping"]}>
      <div className={classes["groupingHead"]}>
        <span>{grouping.kind === "groups" ? "Groups of my own" : label}</span>
        <IconButton label={`Remove grouping ${label}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      <Fields {...props} />
      <Sort {...props} />
    </div>
  );
}

function Fields({ grouping, ...props }: Props<BreakdownGrouping>) {
  switch (grouping.kind) {
    case "value":
      return <ValueFields grouping={grouping} {...props} />;
    case "range":
      return <RangeFields grouping={grouping} {...props} />;
    case "time":
      return <TimeFields grouping={grouping} {...props} />;
    case "part":
      return <ZoneFields grouping={grouping} hasWeeks={grouping.part === "dayOfWeek"} {...props} />;
    case "groups":
      return <GroupsFields grouping={grouping} {...props} />;
    default:
      return grouping satisfies never;
  }
}

const isNumber = ({ schema }: DatasetDescription, column: string): boolean =>
  schema.columns.some(({ name, type }) => name === column && isNumeric(type));

/** Values of numbers, or ranges of them. */
function ValuesOrRanges({ grouping, description, onChange }: Props<Of<"value"> | Of<"range">>) {
  const { column, kind } = grouping;
  if (!isNumber(description, column)) return null;
  return (
    <NativeSelect
      aria-label={`Groups of ${columnTitleIn(description.schema.columns, column)}`}
      value={kind}
      onChange={(event) => onChange(event.currentTarget.value === "range" ? { kind: "range", column, about: 20 } : byValues(column))}
      data={[
        { value: "value", label: "Each value" },
        { value: "range", label: "Ranges" },
      ]}
    />
  );
}

function ValueFields({ grouping, description, asked, onChange }: Props<Of<"value">>) {
  const { top, empty } = grouping;
  const [first] = asked.measures;
  const by = top?.by ?? (first ? measureId(first) : "");
  const setTop = (changes: Partial<NonNullable<typeof top>>) => onChange({ ...grouping, top: { count: 20, ...top, ...changes } });
  const which = top === undefined ? "all" : (top.direction ?? "desc");
  return (
    <>
      <ValuesOrRanges grouping={grouping} description={description} asked={asked} onChange={onChange} />
      <div className={classes["top"]}>
        <NativeSelect
          aria-label="Which groups"
          value={which}
          onChange={(event) => {
            const { top: _, ...all } = grouping;
            if (event.currentTarget.value === "all") onChange(all);
            else setTop({ direction: event.currentTarget.value === "asc" ? "asc" : "desc" });
          }}
          data={[
            { value: "desc", label: "Top" },
            { value: "asc", label: "Lowest" },
            { value: "all", label: "All" },
          ]}
        />
        {top && (
          <>
            <NumberInput
              aria-label="Number of groups"
              hideControls
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="strict"
              max={breakdownLimits.topCount}
              value={top.count}
              onChange={(value) => {
                if (typeof value === "number" && value >= 1) setTop({ count: value });
              }}
            />
            <NativeSelect
              aria-label="Ranked by"
              value={by}
              onChange={(event) => setTop({ by: event.currentTarget.value })}
              data={labeledBreakdown(asked, description.schema.columns).measures.map((measure) => ({
                value: measureId(measure),
                label: `by ${measureLabel(measure)}`,
              }))}
            />
          </>
        )}
      </div>
      <Group gap="md">
        {top && (
          <Checkbox label="Other" checked={top.other === true} onChange={(event) => setTop({ other: event.currentTarget.checked })} />
        )}
        <Checkbox
          label="Empty"
          checked={empty !== "hide"}
          onChange={(event) => onChange({ ...grouping, empty: event.currentTarget.checked ? "show" : "hide" })}
        />
      </Group>
    </>
  );
}

function RangeFields({ grouping, description, asked, onChange }: Props<Of<"range">>) {
  const { column, width, edges } = grouping;
  const how = width === undefined ? (edges === undefined ? "about" : "edges") : "width";
  const [text, setText] = useState(() => (edges ?? []).join(", "));
  const { width: _, edges: __, about: ___, origin: ____, ...plain } = grouping;
  const choose = (next: string) => {
    if (next === "width") onChange({ ...plain, width: 10 });
    else if (next === "edges") {
      setText("0, 15, 60");
      onChange({ ...plain, edges: [0, 15, 60] });
    } else onChange({ ...plain, about: 20 });
  };
  const read = edgesOf(text);
  return (
    <>
      <ValuesOrRanges grouping={grouping} description={description} asked={asked} onChange={onChange} />
      <div className={classes["two"]}>
        <NativeSelect
          aria-label="How ranges are made"
          value={how}
          onChange={(event) => choose(event.currentTarget.value)}
          data={[
            { value: "about", label: "About this many" },
            { value: "width", label: "Of this width" },
            { value: "edges", label: "With these edges" },
          ]}
        />
        {how === "edges" ? (
          <TextInput
            aria-label={`Edges of ${column}`}
            value={text}
            error={read === null ? "Numbers in ascending order, with commas." : undefined}
            onChange={(event) => {
              setText(event.currentTarget.value);
              const typed = edgesOf(event.currentTarget.value);
              if (typed) onChange({ ...plain, edges: typed });
            }}
          />
        ) : (
          <NumberInput
            aria-label={how === "width" ? `Width of ranges of ${column}` : `Number of ranges of ${column}`}
            hideControls
            allowNegative={false}
            allowDecimal={how === "width"}
            value={width ?? grouping.about ?? 20}
            onChange={(value) => {
              if (typeof value !== "number") return;
              if (how === "width" && value > 0) onChange({ ...plain, width: value });
              if (how === "about" && value >= 2 && value <= 200) onChange({ ...plain, about: value });
            }}
          />
        )}
      </div>
    </>
  );
}

function TimeFields({ grouping, ...props }: Props<Of<"time">>) {
  const { unit, size = 1 } = grouping;
  const { onChange } = props;
  return (
    <>
      <div className={classes["two"]}>
        <NumberInput
          aria-label="Steps of time"
          hideControls
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          max={breakdownLimits.size}
          prefix="every "
          value={size}
          onChange={(value) => {
            if (typeof value === "number" && value >= 1) onChange({ ...grouping, size: value === 1 ? undefined : value });
          }}
        />
        <NativeSelect
          aria-label="Unit of time"
          value={unit}
          onChange={(event) => onChange({ ...grouping, unit: breakdownUnit.parse(event.currentTarget.value) })}
          data={breakdownUnit.options.map((one) => ({ value: one, label: size === 1 ? one : `${one}s` }))}
        />
      </div>
      <ZoneFields grouping={grouping} hasWeeks={unit === "week"} {...props} />
    </>
  );
}

function ZoneFields({ grouping, hasWeeks, onChange }: Props<Of<"time"> | Of<"part">> & { hasWeeks: boolean }) {
  const { zone = "UTC", weekStart: start = "monday" } = grouping;
  return (
    <div className={classes["two"]}>
      <NativeSelect
        aria-label="Time zone"
        value={zone}
        onChange={(event) => onChange({ ...grouping, zone: event.currentTarget.value === "UTC" ? undefined : event.currentTarget.value })}
        data={zonesWith(zone, browserZone())}
      />
      {hasWeeks && (
        <NativeSelect
          aria-label="Weeks begin on"
          value={start}
          onChange={(event) => onChange({ ...grouping, weekStart: weekStart.parse(event.currentTarget.value) })}
          data={weekStart.options.map((day) => ({ value: day, label: `from ${day[0]?.toUpperCase()}${day.slice(1)}` }))}
        />
      )}
    </div>
  );
}

const naturalOrders: Record<BreakdownGrouping["kind"], string> = {
  value: "In order of rank",
  time: "In order of time",
  part: "In order of time",
  range: "In order of size",
  groups: "In the order above",
};

/** The order of the groups; by what changed where the summary is compared. */
function Sort({ grouping, description, asked, onChange }: Props<BreakdownGrouping>) {
  const { sort } = grouping;
  const value = sort ? JSON.stringify(sort) : "";
  const choices = [
    { value: "", label: naturalOrders[grouping.kind] },
    { value: JSON.stringify({ by: "key", direction: "asc" }), label: "By name, ascending" },
    { value: JSON.stringify({ by: "key", direction: "desc" }), label: "By name, descending" },
    ...labeledBreakdown(asked, description.schema.columns).measures.flatMap((measure) => {
      const by = measureId(measure);
      const label = measureLabel(measure);
      const orders = [
        { value: JSON.stringify({ by, direction: "desc" }), label: `Highest ${label} first` },
        { value: JSON.stringify({ by, direction: "asc" }), label: `Lowest ${label} first` },
      ];
      if (asked.compare === undefined) return orders;
      return orders.concat([
        { value: JSON.stringify({ by, of: "change", direction: "desc" }), label: `Largest rise of ${label} first` },
        { value: JSON.stringify({ by, of: "change", direction: "asc" }), label: `Largest fall of ${label} first` },
        { value: JSON.stringify({ by, of: "percent", direction: "desc" }), label: `Largest rise of ${label} in percent first` },
      ]);
    }),
  ];
  return (
    <NativeSelect
      aria-label={`Order of ${groupingLabel(grouping, description.schema.columns)}`}
      value={choices.some((choice) => choice.value === value) ? value : ""}
      onChange={(event) => {
        const { sort: _, ...plain } = grouping;
        const chosen = event.currentTarget.value;
        onChange(chosen === "" ? plain : { ...grouping, sort: JSON.parse(chosen) as NonNullable<typeof sort> });
      }}
      data={choices}
    />
  );
}
