import { IconAdjustmentsHorizontal } from "#ui/icons/adjustments-horizontal.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import ViewOptions, { type ViewOptionsProps } from "./view-options.tsx";

/** Opens the options of a view. */
export function OptionsButton(props: ViewOptionsProps) {
  const [opened, setOpened] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(opened, setOpened, "dialog");
  return (
    <>
      <IconButton label="View options" {...buttonProps}>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
      </IconButton>
      {menuProps && <ViewOptions {...menuProps} {...props} />}
    </>
  );
}
