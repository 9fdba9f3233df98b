import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./ui.module.css";
import { popoverPosition } from "./popover-position.ts";

interface Props {
  /** The text beside the button, which also describes it. */
  tip: ReactNode;
  /** The accessible name, where it is not the text of the button. */
  label?: string;
  className?: string | undefined;
  children: ReactNode;
}

const openDelayMs = 300;

/**
 * A button that shows a text beside it, to the pointer, to the keyboard and by touch. Uses the browser's own popover: closing on Escape or
 * a press elsewhere is built in, and it is above dialogs.
 */
export function Toggletip({ tip, label, className, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const bubble = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (): void => {
    clearTimeout(timer.current);
    const [target, element] = [button.current, bubble.current];
    if (!target || !element || element.matches(":popover-open")) return;
    element.showPopover();
    const { left, top } = popoverPosition(target.getBoundingClientRect(), element.getBoundingClientRect(), "bottom", {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.translate = `${left}px ${top}px`;
  };
  const hide = (): void => {
    clearTimeout(timer.current);
    bubble.current?.hidePopover();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-describedby={id}
        aria-expanded={isOpen}
        // Escape closes only the text, not the dialog around it.
        data-mantine-stop-propagation={isOpen}
        onClick={show}
        onPointerEnter={({ pointerType }) => {
          if (pointerType !== "touch") timer.current = setTimeout(show, openDelayMs);
        }}
        onPointerLeave={({ pointerType }) => {
          if (pointerType !== "touch") hide();
        }}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(":focus-visible")) show();
        }}
        onBlur={hide}
      >
        {children}
      </button>
      <span
        ref={bubble}
        id={id}
        role="tooltip"
        popover="auto"
        className={classes["hint"]}
        onToggle={({ newState }) => setOpen(newState === "open")}
      >
        {tip}
      </span>
    </>
  );
}
