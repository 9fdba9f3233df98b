import { Checkbox, Kbd, Popover, Radio, Stack, Text } from "@mantine/core";
import { ExistingTarget, type MenuOfButtonProps } from "#ui/menu-button.ts";
import { useDeferredOpen } from "#ui/dialog/use-deferred-open.ts";
import classes from "./text-difference.module.css";

export interface Choice {
  label: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

export interface ViewOptionsProps {
  /** Null if there is no room for both sides. */
  layout: { isSplit: boolean; onChange: (isSplit: boolean) => void } | null;
  choices: readonly Choice[];
  keys: readonly { keys: readonly string[]; what: string }[];
}

/** The options of a view and its keys. */
export default function ViewOptions({ id, target, opened, onChange, layout, choices, keys }: ViewOptionsProps & MenuOfButtonProps) {
  return (
    <Popover id={id} opened={useDeferredOpen(opened)} onChange={onChange} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ExistingTarget target={target} />
      </Popover.Target>
      <Popover.Dropdown aria-label="View options">
        <div className={classes["options"]}>
          {layout && (
            <Radio.Group
              label="Layout"
              value={layout.isSplit ? "split" : "unified"}
              onChange={(value) => layout.onChange(value === "split")}
            >
              <Stack gap="sm">
                <Radio value="split" label="Side by side" />
                <Radio value="unified" label="Unified" />
              </Stack>
            </Radio.Group>
          )}
          {choices.map(({ label, isChecked, onChange: onCheck }) => (
            <Checkbox key={label} label={label} checked={isChecked} onChange={(event) => onCheck(event.currentTarget.checked)} />
          ))}
          <Text fz="xs" fw="var(--weight-label)" c="dimmed">
            Keys
          </Text>
          <dl className={classes["keys"]}>
            {keys.map(({ keys: names, what }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {names.map((name) => (
                    <Kbd key={name}>{name}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
