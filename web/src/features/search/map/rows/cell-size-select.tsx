import { type MapRowsView, mapCellSizes } from "@fairway/contract/map-view";
import { NativeSelect, type NativeSelectProps } from "@mantine/core";
import { cellSizeOptions } from "#parts/map-look/rows-look.ts";

interface Props extends Pick<NativeSelectProps, "size" | "classNames"> {
  /** In CSS pixels. */
  value: number;
  onChange: (pixels: NonNullable<MapRowsView["cell"]>) => void;
}

/** Chooses how wide cells are on the screen. */
export function CellSizeSelect({ value, onChange, ...props }: Props) {
  return (
    <NativeSelect
      {...props}
      label="Cell size"
      value={String(value)}
      data={cellSizeOptions}
      onChange={(event) => {
        const pixels = mapCellSizes.find((one) => String(one) === event.currentTarget.value);
        if (pixels !== undefined) onChange(pixels);
      }}
    />
  );
}
