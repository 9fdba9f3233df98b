import { type MantineColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconCheck } from "#ui/icons/check.ts";
import { IconDeviceDesktop } from "#ui/icons/device-desktop.ts";
import { IconDots } from "#ui/icons/dots.ts";
import { IconKeyboard } from "#ui/icons/keyboard.ts";
import { IconMoon } from "#ui/icons/moon.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconSun } from "#ui/icons/sun.ts";
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef, useState } from "react";
import { popoverPosition } from "#ui/popover-position.ts";
import classes from "./frame.module.css";
import { openOverlay } from "./overlays.ts";
import { paletteKeys } from "./modifier-keys.ts";

export const themes: readonly { scheme: MantineColorScheme; label: string; icon: typeof IconSun }[] = [
  { scheme: "light", label: "Light", icon: IconSun },
  { scheme: "dark", label: "Dark", icon: IconMoon },
  { scheme: "auto", label: "System", icon: IconDeviceDesktop },
];

/**
 * The palette, the shortcuts and the theme. Uses the browser's own popover because the menu is on every screen: closing on
 * Escape or an outside click and returning the focus are built in.
 */
export function MoreMenu({ className }: { className: string | undefined }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();

  function handleToggle(event: ToggleEvent<HTMLDivElement>): void {
    setOpen(event.newState === "open");
    if (event.newState !== "open" || !button.current || !menu.current) return;
    const { left, top } = popoverPosition(button.current.getBoundingClientRect(), menu.current.getBoundingClientRect(), "right-end", {
      width: innerWidth,
      height: innerHeight,
    });
    menu.current.style.translate = `${left}px ${top}px`;
    itemsOf(menu.current)[0]?.focus();
  }

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    const items = itemsOf(event.currentTarget);
    const index = items.indexOf(document.activeElement as HTMLElement);
    const targets: Record<string, number> = {
      ArrowDown: (index + 1) % items.length,
      ArrowUp: (index - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    };
    const next = targets[event.key];
    if (next !== undefined) {
      event.preventDefault();
      items[next]?.focus();
    } else if (event.key === "Tab") event.currentTarget.hidePopover();
  }

  const choose = (run: () => void) => () => {
    menu.current?.hidePopover();
    run();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        aria-haspopup="menu"
        aria-expanded={open}
        data-tour="everything"
      >
        <IconDots size={20} stroke={1.6} aria-hidden />
        More
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label="More"
        className={classes["menu"]}
        onToggle={handleToggle}
        onKeyDown={handleKeyDown}
        // Escape closes only the menu, not the drawer around it.
        data-mantine-stop-propagation="true"
      >
        <Item icon={<IconSearch size={16} aria-hidden />} keys={paletteKeys} onChoose={choose(() => openOverlay("palette"))}>
          Search everything
        </Item>
        <Item icon={<IconKeyboard size={16} aria-hidden />} keys="?" onChoose={choose(() => openOverlay("shortcuts"))}>
          Keyboard shortcuts
        </Item>
        <div role="group" aria-label="Theme" className={classes["group"]}>
          <span aria-hidden>Theme</span>
          {themes.map(({ scheme, label, icon: Icon }) => (
            <Item
              key={scheme}
              icon={<Icon size={16} aria-hidden />}
              checked={colorScheme === scheme}
              onChoose={choose(() => setColorScheme(scheme))}
            >
              {label}
            </Item>
          ))}
        </div>
      </div>
    </>
  );
}

interface ItemProps {
  icon: ReactNode;
  keys?: string;
  checked?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Item({ icon, keys, checked, onChoose, children }: ItemProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes["item"]}
      {...(checked === undefined ? { role: "menuitem" } : { role: "menuitemradio", "aria-checked": checked })}
      data-mantine-stop-propagation="true"
      onClick={onChoose}
      onPointerEnter={(event) => event.currentTarget.focus()}
    >
      {icon}
      {children}
      {keys !== undefined && <small aria-hidden>{keys}</small>}
      {checked === true && <IconCheck size={16} aria-hidden />}
    </button>
  );
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
