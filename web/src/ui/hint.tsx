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
