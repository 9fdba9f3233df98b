import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconX } from "#ui/icons/x.ts";
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { endTour } from "#lib/screens/tour.ts";
import { announce, expectScreenFocus } from "#ui/announcer.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { isKeyOfDialog, useHasOpenDialog } from "#ui/dialog/open-dialogs.ts";
import { popoverPosition } from "#ui/popover-position.ts";
import { useOpener } from "#ui/dialog/use-opener.ts";
import classes from "./tour.module.css";
import { tourSteps } from "./tour-steps.ts";
import { type Box, useTargetBox } from "./use-target-box.ts";
import { useTourScreen } from "./use-tour-screen.ts";

/** By then the focus is back where the tour was started, if that is still there. */
const focusReturnedMs = 100;

const tallPx = 240;
const railPx = 100;

/** Six steps through the portal, each beside what it is about. The page stays usable. */
export default function Tour() {
  const [index, setIndex] = useState(0);
  const step = tourSteps[index] ?? tourSteps[0];
  if (!step) return null;
  return <Step index={index} step={step} onStep={setIndex} />;
}

function Step({ index, step, onStep }: { index: number; step: (typeof tourSteps)[number]; onStep: (index: number) => void }) {
  const { target, screen, title, text } = step;
  const ids = { title: useId(), text: useId() };
  const card = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const hasOpenDialog = useHasOpenDialog();
  const box = useTargetBox(target);
  const size = useSize(card);
  const position = isPhone || box === null || size === null ? null : placeBeside(box, size);
  const isLast = index === tourSteps.length - 1;
  const progress = `${index + 1} of ${tourSteps.length}`;
  useTourScreen(screen);
  useOpener(true);
  useEffect(
    () => () => {
      // Also if the session ended.
      endTour();
      setTimeout(focusScreenIfLost, focusReturnedMs);
    },
    [],
  );
  useEndOnEscape();
  // Elements behind a dialog are inert.
  useEffect(() => {
    if (!hasOpenDialog && !card.current?.contains(document.activeElement)) card.current?.focus({ preventScroll: true });
  }, [hasOpenDialog]);

  const go = (next: number) => {
    const shown = tourSteps[next];
    if (!shown) return;
    // The first step has no Back, which may have the focus.
    if (next === 0) card.current?.focus({ preventScroll: true });
    onStep(next);
    announce(`${next + 1} of ${tourSteps.length}. ${shown.title}. ${shown.text}`);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(index + by);
  };
  return (
    <>
      {box && <div className={classes["mark"]} style={box} aria-hidden />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- shortcuts for the buttons within the step */}
      <div
        ref={card}
        role="dialog"
        aria-modal={false}
        aria-labelledby={ids.title}
        aria-describedby={ids.text}
        tabIndex={-1}
        inert={hasOpenDialog}
        className={classes["card"]}
        data-docked={position === null || undefined}
        style={position ?? {}}
        onKeyDown={handleKeyDown}
      >
        <h2 id={ids.title}>{title}</h2>
        <IconButton label="End the tour" onClick={endTour}>
          <IconX size={16} aria-hidden />
        </IconButton>
        <p id={ids.text}>{text}</p>
        <footer>
          <span>{progress}</span>
          {index > 0 && (
            <Button variant="default" size="xs" onClick={() => go(index - 1)}>
              Back
            </Button>
          )}
          <Button size="xs" onClick={() => (isLast ? endTour() : go(index + 1))}>
            {isLast ? "Done" : "Next"}
          </Button>
        </footer>
      </div>
    </>
  );
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Null where there is no room beside the target. */
function placeBeside(target: Box, { width, height }: Size): { left: number; top: number } | null {
  const window = { width: innerWidth, height: innerHeight };
  // Beside what is tall, so that what follows below it stays in view, and beside the rail.
  const isBeside = target.height > tallPx || target.left + target.width < railPx;
  const side = !isBeside ? "bottom" : target.top > innerHeight / 2 ? "right-end" : "right-start";
  const { left, top } = popoverPosition(target, { width, height }, side, window);
  const overlaps =
    left < target.left + target.width && left + width > target.left && top < target.top + target.height && top + height > target.top;
  return overlaps ? null : { left, top };
}

function useSize(element: React.RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(([entry]) => {
      const box = entry?.borderBoxSize[0];
      if (box) setSize({ width: box.inlineSize, height: box.blockSize });
    });
    if (element.current) sizes.observe(element.current);
    return () => sizes.disconnect();
  }, [element]);
  return size;
}

/** Wherever the focus is, unless Escape closes something else. */
function useEndOnEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || isKeyOfDialog()) return;
      const isInMenu =
        event.target instanceof Element && event.target.closest("[role=menu], [role=listbox], [aria-expanded=true]") !== null;
      if (isInMenu) return;
      event.preventDefault();
      endTour();
    };
    // Before what else Escape closes on the screen.
    document.addEventListener("keydown", onKeyDown, { capture: true });
    return () => document.removeEventListener("keydown", onKeyDown, { capture: true });
  }, []);
}

function focusScreenIfLost(): void {
  if (document.activeElement === document.body) expectScreenFocus();
}
