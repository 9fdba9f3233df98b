import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import classes from "./ui.module.css";
import { type Side, popoverPosition } from "./popover-position.ts";

interface TargetProps {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
  "aria-describedby"?: string | undefined;
}

interface HintProps {
  label: ReactNode;
  /** The preferred side; the opposite one if there is no room. */
  side?: Side;
  openDelayMs?: number;
  /** The label adds to the target's accessible name, as a preview does. */
  describes?: boolean;
  children: ReactElement<TargetProps>;
}

/** A tooltip for pointer and keyboard. Closes when the pointer or the focus leaves and on Escape. Not shown on touch. */
export function Hint({ label, side = "bottom", openDelayMs = 300, describes = false, children }: HintProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [timer] = useState(createTimer);
  const bubble = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => timer.stop, [timer]);
  useEffect(() => {
    const element = bubble.current;
    if (!target || !element) return;
    element.showPopover();
    const { left, top } = popoverPosition(target.getBoundingClientRect(), element.getBoundingClientRect(), side, {
      width: innerWidth,
      height: innerHeight,
    });
    element.style.translate = `${left}px ${top}px`;
  }, [target, side]);

  const open = (element: HTMLElement, delayMs: number): void => {
    timer.start(() => setTarget(element), delayMs);
  };
  const close = (): void => {
    timer.stop();
    setTarget(null);
  };
  const childProps = children.props;

  return (
    <>
      {cloneElement(children, {
        ...(describes && target ? { "aria-describedby": id } : {}),
        onPointerEnter: (event) => {
          childProps.onPointerEnter?.(event);
          if (event.pointerType !== "touch") open(event.currentTarget, openDelayMs);
        },
        onPointerLeave: (event) => {
          childProps.onPointerLeave?.(event);
          close();
        },
        onPointerDown: (event) => {
          childProps.onPointerDown?.(event);
          close();
        },
        onFocus: (event) => {
          childProps.onFocus?.(event);
          if (event.currentTarget.matches(":focus-visible")) open(event.currentTarget, openDelayMs);
        },
        onBlur: (event) => {
          childProps.onBlur?.(event);
          close();
        },
        onKeyDown: (event) => {
          childProps.onKeyDown?.(event);
          if (event.key === "Escape") close();
        },
      })}
      {target && (
        <div ref={bubble} id={id} role="tooltip" popover="manual" className={classes["hint"]}>
          {label}
        </div>
      )}
    </>
  );
}

function createTimer(): { start: (run: () => void, delayMs: number) => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => clearTimeout(timer);
  return {
    start: (run, delayMs) => {
      stop();
      timer = setTimeout(run, delayMs);
    },
    stop,
  };
}

interface ToggletipProps {
  /** The text beside the button, which also describes it. */
  tip: ReactNode;
  /** The accessible name, where it is not the text of the button. */
  label?: string;
  className?: string | undefined;
  children: ReactNode;
}

const toggletipDelayMs = 300;

/**
 * A button that shows a text beside it, to the pointer, to the keyboard and by touch. Uses the browser's own popover: closing on Escape or
 * a press elsewhere is built in, and it is above dialogs.
 */
export function Toggletip({ tip, label, className, children }: ToggletipProps) {
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
          if (pointerType !== "touch") timer.current = setTimeout(show, toggletipDelayMs);
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
