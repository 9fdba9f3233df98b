import type { ViewMode } from "@fairway/contract/search-address";
import { SegmentedControl } from "@mantine/core";
import { IconBraces, IconChartLine, IconMap2, IconTable } from "@tabler/icons-react";
import classes from "./results-page.module.css";

const views = {
  map: { label: "Map", Icon: IconMap2 },
  raw: { label: "Raw", Icon: IconBraces },
  table: { label: "Table", Icon: IconTable },
  graphs: { label: "Graphs", Icon: IconChartLine },
} as const;

/** Switches the view of the results. Always last in the header, so that it does not move. */
export function ViewSwitch({
  offered,
  value,
  onChange,
}: {
  offered: readonly ViewMode[];
  value: ViewMode;
  onChange: (view: ViewMode) => void;
}) {
  return (
    <SegmentedControl
      aria-label="View"
      data-tour="views"
      className={classes["views"] ?? ""}
      value={value}
      onChange={onChange}
      data={offered.map((view) => {
        const { label, Icon } = views[view];
        return {
          value: view,
          label: (
            <span className={classes["view"]}>
              <Icon size={16} aria-hidden />
              {label}
            </span>
          ),
        };
      })}
    />
  );
}
