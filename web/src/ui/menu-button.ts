import { type Ref, type RefObject, useId, useImperativeHandle, useRef } from "react";
import { useHasBeen } from "./use-has-been.ts";

/** The button that opens a menu or popover, as this needs to know it. */
export interface MenuOfButtonProps {
  /** The id of the button, by which the menu refers to it. */
  id: string;
  target: RefObject<HTMLButtonElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

interface MenuButton {
  /** Props of the button that opens the menu. */
  buttonProps: {
    ref: RefObject<HTMLButtonElement | null>;
    id: string;
    "aria-haspopup": "menu" | "dialog";
    "aria-expanded": boolean;
    onClick: () => void;
  };
  /** Props of the menu; null before its first use. */
  menuProps: MenuOfButtonProps | null;
}

/** A menu that is mounted on its first use: one mounted menu per row or column would cost more than the row. */
export function useMenuButton(opened: boolean, onChange: (opened: boolean) => void, popup: "menu" | "dialog" = "menu"): MenuButton {
  const id = useId();
  const target = useRef<HTMLButtonElement>(null);
  const isMounted = useHasBeen(opened);
  return {
    buttonProps: { ref: target, id, "aria-haspopup": popup, "aria-expanded": opened, onClick: () => onChange(!opened) },
    menuProps: isMounted ? { id, target, opened, onChange } : null,
  };
}

/** The child of Menu.Target or Popover.Target: makes a button that is already on the page the target, without changing it. */
export function ExistingTarget({ target, ref }: { target: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement | null> }): null {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => target.current, [target]);
  return null;
}
