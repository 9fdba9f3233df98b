import { useEffect, useEffectEvent } from "react";
import { useSuggestions } from "./suggestions-context.tsx";

/** Frames until a row that was scrolled to is rendered, with its card, at most. */
const maxFrames = 60;

/** Scrolls to the suggestion that was asked for, and focuses its card. */
export function useJump(scrollTo: (columnName: string | null) => void): void {
  const { jump, onJump } = useSuggestions();
  const scroll = useEffectEvent(scrollTo);
  useEffect(() => {
    if (jump === null) return undefined;
    const { id, columnName } = jump.suggestion;
    scroll(columnName);
    let frame = 0;
    let frames = 0;
    const focus = () => {
      const card = document.querySelector<HTMLElement>(`[data-suggestion="${CSS.escape(id)}"]`);
      if (card === null && frames < maxFrames) {
        frames += 1;
        frame = requestAnimationFrame(focus);
        return;
      }
      if (card) {
        card.scrollIntoView({ block: "nearest" });
        card.focus({ preventScroll: true });
      }
      onJump(null);
    };
    frame = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(frame);
  }, [jump, onJump]);
}

/** `useJump` as a component, for a dataset without columns to scroll to. */
export function JumpToDataset({ scrollTo }: { scrollTo: () => void }): null {
  useJump(scrollTo);
  return null;
}
