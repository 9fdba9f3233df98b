import type { MapPalette, MapRowsView, MapScale } from "@fairway/contract/map-view";
import { Popover, SegmentedControl, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { canBeBalanced, canBeLog, type ColorScale, fullRange, isSetRange, type Values } from "#features/search/map/model/color-scale.ts";
import type { ValueRange } from "#features/search/map/model/scale-limits.ts";
import {
  defaultPalette,
  defaultScale,
  optionsOf,
  paletteNames,
  type Quantity,
  type RangeMode,
  rangeNames,
  scaleNames,
} from "#parts/map-look/rows-look.ts";
import { RangeFields } from "./range-fields.tsx";
import classes from "./scale-legend.module.css";

/** The choices of a person. A range that was computed is not typed. */
type ScaleView = Pick<MapRowsView, "scale" | "range" | "palette">;
export type ScaleChange = { readonly [Name in keyof ScaleView]?: ScaleView[Name] | undefined };

export interface ScaleSettings {
  readonly view: ScaleView;
  readonly quantity: Quantity;
  /** The values in view. */
  readonly values: Values;
  /** An undefined range is to be computed from what is in view. */
  readonly onChange: (changed: ScaleChange) => void;
}

const scaleLabels: Record<MapScale, string> = { log: "Log scale", linear: "Linear scale", steps: "Equal steps" };

/** Chooses scale, range and palette; the button says what is chosen. */
export function ScaleOptions({ scale, settings }: { scale: ColorScale; settings: ScaleSettings }) {
  const [opened, setOpened] = useState(false);
  const { view, quantity, values, onChange } = settings;
  const full = fullRange(values);
  const palettes: MapPalette[] = canBeBalanced(scale.range) || scale.palette === "balance" ? [defaultPalette(quantity), "balance"] : [];
  // Times are typed in no field.
  const isTime = typeof scale.kind === "object";
  const [isTyping, setIsTyping] = useState(false);
  const chosen = rangeMode(view.range, full);
  const mode = isTyping && chosen !== "automatic" ? "typed" : chosen;
  return (
    <Popover opened={opened} onChange={setOpened} position="top-end" width={264} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button type="button" className={classes["button"]} onClick={() => setOpened(!opened)}>
          {buttonText(scale, quantity, chosen, full)}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Color scale">
        <Stack gap="md">
          <Choice
            label="Scale"
            data={optionsOf(scaleNames).map(({ value, label }) => ({ value, label, disabled: value === "log" && !canBeLog(scale.range) }))}
            value={scale.scale}
            onChange={(value) => onChange({ scale: value })}
          />
          <Choice
            label="Range"
            data={optionsOf(rangeNames).filter(({ value }) => !isTime || value !== "typed")}
            value={mode}
            onChange={(value) => {
              setIsTyping(value === "typed");
              if (value === "automatic") onChange({ range: undefined });
              else onChange({ range: { ...(value === "full" && full ? full : scale.range), isTyped: true } });
            }}
          />
          {mode === "typed" && <RangeFields range={scale.range} onChange={(range) => onChange({ range: { ...range, isTyped: true } })} />}
          {palettes.length > 0 && (
            <Choice
              label="Colors"
              data={palettes.map((value) => ({ value, label: paletteNames[value] }))}
              value={scale.palette}
              onChange={(value) => onChange({ palette: value })}
            />
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice<Value extends string>(props: {
  label: string;
  data: { value: Value; label: string; disabled?: boolean }[];
  value: Value;
  onChange: (value: Value) => void;
}) {
  const { label, ...control } = props;
  const id = useId();
  return (
    <div className={classes["choice"]}>
      <span id={id}>{label}</span>
      <SegmentedControl<Value> aria-labelledby={id} fullWidth size="xs" {...control} />
    </div>
  );
}

function rangeMode(range: ScaleView["range"], full: ValueRange | null): RangeMode {
  if (range === undefined || !isSetRange(range)) return "automatic";
  if (range === "full") return range;
  return range.low === full?.low && range.high === full.high ? "full" : "typed";
}

function buttonText({ scale, range }: ColorScale, quantity: Quantity, mode: RangeMode, full: ValueRange | null): string {
  if (scale !== defaultScale(quantity)) return scaleLabels[scale];
  if (mode !== "automatic") return mode === "full" ? "Full range" : "Typed range";
  const isCut = full !== null && quantity === "measure" && (full.low < range.low || full.high > range.high);
  return isCut ? "Middle 98%" : scaleLabels[scale];
}
