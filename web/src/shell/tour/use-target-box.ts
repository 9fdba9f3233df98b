import { useEffect, useState } from "react";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Between the elements and the frame around them. */
const marginPx = 6;

/** Around the elements with this `data-tour`, within the window, as they come, move and go. Null while none is in view. */
export function useTargetBox(target: string): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useEffect(() => {
    let frame = 0;
    let revealed: Element | undefined;
    const measure = () => {
      frame = 0;
      const elements = [...document.querySelectorAll(`[data-tour~="${target}"]`)].filter((element) => element.checkVisibility());
      const [first] = elements;
      if (first && first !== revealed) {
        revealed = first;
        first.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
      const next = boxAround(elements);
      setBox((previous) => (JSON.stringify(previous) === JSON.stringify(next) ? previous : next));
    };
    const schedule = () => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    const changes = new MutationObserver(schedule);
    changes.observe(document.body, { childList: true, subtree: true });
    const sizes = new ResizeObserver(schedule);
    sizes.observe(document.documentElement);
    for (const element of document.querySelectorAll("main")) sizes.observe(element);
    document.addEventListener("scroll", schedule, { capture: true, passive: true });
    schedule();
    return () => {
      changes.disconnect();
      sizes.disconnect();
      document.removeEventListener("scroll", schedule, { capture: true });
      cancelAnimationFrame(frame);
    };
  }, [target]);
  return box;
}

function boxAround(elements: readonly Element[]): Box | null {
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const left = Math.max(0, Math.min(...boxes.map((box) => box.left)) - marginPx);
  const top = Math.max(0, Math.min(...boxes.map((box) => box.top)) - marginPx);
  const right = Math.min(innerWidth, Math.max(...boxes.map((box) => box.right)) + marginPx);
  const bottom = Math.min(innerHeight, Math.max(...boxes.map((box) => box.bottom)) + marginPx);
  return right > left && bottom > top ? { left, top, width: right - left, height: bottom - top } : null;
}
