import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import { defaultMapCellSize, mapCellSizes, mapPalettes, type MapRowsView, mapScales } from "@fairway/contract/map-view";
import { Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import {
  cellSizeOptions,
  defaultPalette,
  defaultScale,
  numberOf,
  optionsOf,
  paletteNames,
  plainText,
  rangeNames,
  rowsPerCell,
  scaleNames,
} from "#parts/map-look/rows-look.ts";
import { type DatasetDraft, type Path, plainColumns } from "./dataset-draft.ts";
import { cellColorOf, cellColors, quantityOf, rangeModeOf, withCellColor, withoutMark, withRowsLook, withShown } from "./first-look.ts";
import { useDatasetForm } from "./form-context.ts";
import { ChoiceField, columnOptions, useFieldProblem } from "./form-fields.tsx";
import { useLookedUpColumns } from "./looked-up-columns.ts";
import classes from "./dataset-form.module.css";

/** How the map looks until a person changes it. */
export function FirstLookFields() {
  const { draft, update } = useDatasetForm();
  const canShowRows = draft.locationField !== null || draft.mapView?.show === "rows";
  return (
    <>
      {draft.mapSupport !== null && <ItemFields />}
      {canShowRows && (
        <>
          <ChoiceField
            path={["mapView", "show"]}
            label="Map shows first"
            description="People can change this and all that follows on the map."
            none="Items"
            value={draft.mapView?.show === "rows" ? "rows" : null}
            options={[{ value: "rows", label: "All rows" }]}
            onChoice={(show) => update((now) => withShown(now, show === "rows" ? "rows" : "items"))}
          />
          <RowsFields />
        </>
      )}
    </>
  );
}

/** The columns that color and size the markers of items. */
function ItemFields() {
  const { draft, update } = useDatasetForm();
  const plain = [...plainColumns(draft), ...useLookedUpColumns()];
  const set = (change: Partial<NonNullable<DatasetDraft["mapSupport"]>>, mark: "colorBy" | "sizeBy") =>
    update((now) => ({ mapSupport: now.mapSupport && { ...now.mapSupport, ...change }, ...withoutMark(now, mark) }));
  const { colorBy, sizeBy } = draft.mapView ?? {};
  return (
    <fieldset className={classes["list"]}>
      <legend>Items on the map</legend>
      <div className={classes["pair"]}>
        <ChoiceField
          path={colorBy === undefined ? ["mapSupport", "colorField"] : ["mapView", "colorBy"]}
          label="Color by"
          none="Age"
          value={colorBy ?? draft.mapSupport?.colorField ?? null}
          options={columnOptions(plain.filter(({ type }) => !isTimestamp(type)))}
          onChoice={(colorField) => set({ colorField }, "colorBy")}
        />
        <ChoiceField
          path={sizeBy === undefined ? ["mapSupport", "sizeField"] : ["mapView", "sizeBy"]}
          label="Size by"
          none="Same size"
          value={sizeBy ?? draft.mapSupport?.sizeField ?? null}
          options={columnOptions(plain.filter(({ type }) => isNumeric(type)))}
          onChoice={(sizeField) => set({ sizeField }, "sizeBy")}
        />
      </div>
    </fieldset>
  );
}

/** How all rows are counted and colored, in the words of the map. */
function RowsFields() {
  const { draft, update } = useDatasetForm();
  const plain = [...plainColumns(draft), ...useLookedUpColumns()];
  const place = draft.schema.columns.find(({ name }) => name === draft.locationField)?.combined?.fields ?? [];
  const rows = draft.mapView?.rows ?? {};
  const quantity = quantityOf(draft);
  const mode = rangeModeOf(draft);
  const isTime = plain.some(({ name, type }) => name === rows.measure?.column && isTimestamp(type));
  const set = (change: Parameters<typeof withRowsLook>[1]) => update((now) => withRowsLook(now, change));
  return (
    <fieldset className={classes["list"]}>
      <legend>All rows on the map</legend>
      <Stack gap="lg" mt="xs">
        <div className={classes["pair"]}>
          <ChoiceField
            path={rowsPath("measure", "column")}
            label="Color by"
            description="The rows of a cell, or a figure of them."
            none={rowsPerCell}
            value={cellColorOf(draft)}
            options={cellColors(plain.filter(({ name }) => !place.includes(name)))}
            onChoice={(value) => update((now) => withCellColor(now, value))}
          />
          <ChoiceField
            path={rowsPath("cell")}
            label="Cell size"
            description="How wide a cell is on the screen."
            value={String(rows.cell ?? defaultMapCellSize)}
            options={cellSizeOptions}
            onChoice={(value) => {
              const cell = mapCellSizes.find((one) => String(one) === value);
              set({ cell: cell === defaultMapCellSize ? undefined : cell });
            }}
          />
          <ChoiceField
            path={rowsPath("scale")}
            label="Scale"
            description="Log needs values above 0; Steps have equal numbers of cells."
            value={rows.scale ?? defaultScale(quantity)}
            options={optionsOf(scaleNames)}
            onChoice={(value) => set({ scale: mapScales.find((one) => one === value) })}
          />
          <ChoiceField
            path={rowsPath("palette")}
            label="Colors"
            description="Balance has its middle at 0, for values on both sides."
            value={rows.palette ?? defaultPalette(quantity)}
            options={optionsOf(paletteNames)}
            onChoice={(value) => set({ palette: mapPalettes.find((one) => one === value) })}
          />
          <ChoiceField
            path={rowsPath("range", "mode")}
            label="Range"
            description={
              quantity === "measure"
                ? "Automatic leaves out 1% at each end; Full is from least to greatest."
                : "Automatic ends at the most of what is shown first; Full keeps it for all levels."
            }
            value={mode}
            options={optionsOf(rangeNames).filter(({ value }) => !isTime || value !== "typed" || mode === "typed")}
            onChoice={(value) => set({ range: value === "typed" ? firstRange : value === "full" ? value : undefined })}
          />
        </div>
        {mode === "typed" && <RangeFields />}
      </Stack>
    </fieldset>
  );
}

const firstRange: MapRowsView["range"] = { low: 1, high: 100, isTyped: true };

const rowsPath = (...steps: string[]): Path => ["mapView", "rows", ...steps];

/** The ends of a typed range, in the unit of the column. */
function RangeFields() {
  const { draft, update } = useDatasetForm();
  const problem = useFieldProblem(rowsPath("range"));
  const range = draft.mapView?.rows?.range;
  if (range === undefined || range === "full") return null;
  const set = (change: Partial<typeof range>) => update((now) => withRowsLook(now, { range: { ...range, ...change, isTyped: true } }));
  return (
    <div className={classes["pair"]}>
      <NumberField label="Low" description="Values below have the first color." value={range.low} onNumber={(low) => set({ low })} />
      <NumberField
        label="High"
        description="Values above have the last color."
        problem={problem}
        value={range.high}
        onNumber={(high) => set({ high })}
      />
    </div>
  );
}

interface NumberProps {
  label: string;
  description: string;
  problem?: ReturnType<typeof useFieldProblem>;
  value: number;
  onNumber: (value: number) => void;
}

/** A number. What is none is shown as wrong while it is typed, and gives way to the last number when the field is left. */
function NumberField({ problem, value, onNumber, ...props }: NumberProps) {
  const [text, setText] = useState<string | null>(null);
  const isWrong = text !== null && numberOf(text) === null;
  return (
    <TextInput
      {...problem}
      {...props}
      error={isWrong ? "Enter a number." : problem?.error}
      inputMode="decimal"
      autoComplete="off"
      value={text ?? plainText(value)}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const number = numberOf(currentTarget.value);
        if (number !== null) onNumber(number);
      }}
      onBlur={() => setText(null)}
    />
  );
}
