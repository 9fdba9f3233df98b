import { NativeSelect } from "@mantine/core";
import type { ItemOrder } from "#features/search/map/model/map-view-state.ts";
import classes from "./frame/map.module.css";

interface Props {
  value: ItemOrder;
  /** The column that colors the items; null where their age does. */
  coloredBy: string | null;
  onChange: (order: ItemOrder) => void;
}

/** By what the list of items is sorted. */
export function ItemOrderSelect({ value, coloredBy, onChange }: Props) {
  const orders: { value: ItemOrder; label: string }[] = [
    { value: "name", label: "Name" },
    { value: "time", label: "Latest time" },
    ...(coloredBy === null ? [] : [{ value: "value" as const, label: coloredBy }]),
  ];
  return (
    <NativeSelect
      size="xs"
      label="Sort by"
      classNames={{ root: classes["order"] ?? "", wrapper: classes["orderInput"] ?? "" }}
      value={value}
      data={orders}
      onChange={({ currentTarget }) => {
        const order = orders.find((one) => one.value === currentTarget.value);
        if (order) onChange(order.value);
      }}
    />
  );
}
