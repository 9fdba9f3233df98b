import { Menu } from "@mantine/core";
import { IconCheck } from "#ui/icons/check.ts";
import { colorName, palette } from "@fairway/contract/charts/graph-colors";
import classes from "./graphs.module.css";

/** A menu to choose a color of the palette. */
export function GraphColorMenu({ of, value, onChange }: { of: string; value: string; onChange: (color: string) => void }) {
  return (
    <Menu position="bottom-start" trapFocus returnFocus>
      <Menu.Target>
        <button type="button" className={classes["swatch"]} aria-label={`Color of ${of}: ${colorName(value)}`}>
          <i style={{ background: value }} />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Color of ${of}`}>
        {palette.map(({ name, color }) => (
          <Menu.Item
            key={color}
            leftSection={<i className={classes["color"]} style={{ background: color }} />}
            rightSection={color === value ? <IconCheck size={16} aria-label="chosen" /> : null}
            onClick={() => onChange(color)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
