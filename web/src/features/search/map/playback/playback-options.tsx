import { Checkbox, NativeSelect, Popover, Radio, Stack, TextInput } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useState } from "react";
import { maxSpeed, minSpeed, type PlaybackClock } from "./clock.ts";
import { yearSeconds, speedPresets, speedText, parseSpeed, windowUnitOf, windowUnits } from "./playback-text.ts";
import { useClock } from "./use-clock.ts";
import classes from "./scrubber.module.css";

const trailLabels = { cumulative: "Full trail", window: "Recent trail" };

/** Speed, visible time window, and looping. */
export function PlaybackOptions({ clock, labels = trailLabels }: { clock: PlaybackClock; labels?: typeof trailLabels | undefined }) {
  const speed = useClock(clock, "speed");
  return (
    <Popover position="top-start" width={288} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <button type="button" className={classes["speed"]} aria-label={`Speed and more: ${speedText(speed)}`}>
          {speedText(speed)}
          <IconChevronDown size={16} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Speed and more">
        <SpeedFields clock={clock} />
        <WindowFields clock={clock} labels={labels} />
        <LoopField clock={clock} />
      </Popover.Dropdown>
    </Popover>
  );
}

const speedProblem = `Such as 10 min/s or 2 days/s, from ${speedText(minSpeed)} to ${Math.floor(maxSpeed / yearSeconds)} years/s.`;

function SpeedFields({ clock }: { clock: PlaybackClock }) {
  const speed = useClock(clock, "speed");
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed !== null && parseSpeed(typed) === undefined ? speedProblem : null;
  const onType = (text: string) => {
    setTyped(text);
    const speedTyped = parseSpeed(text);
    if (speedTyped !== undefined) clock.setSpeed(speedTyped);
  };
  return (
    <div className={classes["options"]} role="group" aria-label="Speed">
      <TextInput
        label="Speed"
        autoComplete="off"
        description="Data time that passes in a second"
        value={typed ?? speedText(speed, 6)}
        error={problem}
        onChange={(event) => onType(event.currentTarget.value)}
        onBlur={() => problem === null && setTyped(null)}
      />
      <div className={classes["presets"]}>
        {speedPresets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-pressed={speed === preset}
            onClick={() => {
              setTyped(null);
              clock.setSpeed(preset);
            }}
          >
            {speedText(preset)}
          </button>
        ))}
      </div>
    </div>
  );
}

function WindowFields({ clock, labels }: { clock: PlaybackClock; labels: typeof trailLabels }) {
  const mode = useClock(clock, "mode");
  const windowMs = useClock(clock, "windowMs");
  const [unit, setUnit] = useState(() => windowUnitOf(windowMs));
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed !== null && !(Number(typed) > 0) ? "Enter a number above 0." : null;
  const onType = (text: string) => {
    setTyped(text);
    if (Number(text) > 0) clock.setMode("window", Number(text) * unit.ms);
  };
  return (
    <Radio.Group
      className={classes["options"] ?? ""}
      label="Show"
      value={mode}
      onChange={(value) => clock.setMode(value === "window" ? "window" : "cumulative")}
    >
      <Stack gap="md" my="sm">
        <Radio value="cumulative" label={labels.cumulative} />
        <Radio value="window" label={labels.window} />
      </Stack>
      {mode === "window" && (
        <div className={classes["window"]}>
          <TextInput
            aria-label="Length"
            inputMode="decimal"
            autoComplete="off"
            value={typed ?? String(Number((windowMs / unit.ms).toPrecision(4)))}
            error={problem}
            onChange={(event) => onType(event.currentTarget.value)}
            onBlur={() => problem === null && setTyped(null)}
          />
          <NativeSelect
            aria-label="Unit"
            value={unit.name}
            data={windowUnits.map(({ name }) => name)}
            onChange={(event) => {
              const next = windowUnits.find(({ name }) => name === event.currentTarget.value);
              if (!next) return;
              clock.setMode("window", (windowMs / unit.ms) * next.ms);
              setUnit(next);
            }}
          />
        </div>
      )}
    </Radio.Group>
  );
}

function LoopField({ clock }: { clock: PlaybackClock }) {
  const loops = useClock(clock, "loops");
  return <Checkbox label="Loop" checked={loops} onChange={(event) => clock.setLoops(event.currentTarget.checked)} />;
}
