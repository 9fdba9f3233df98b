import type { ViewMode } from "@fairway/contract/search-address";
import { SegmentedControl } from "@mantine/core";
import { IconBraces } from "#ui/icons/braces.ts";
import { IconChartLine } from "#ui/icons/chart-line.ts";
import { IconMap2 } from "#ui/icons/map-2.ts";
import { IconTable } from "#ui/icons/table.ts";
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
