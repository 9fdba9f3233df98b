import { type RefObject, useCallback, useEffect, useState } from "react";

/** Of A4 and Letter with the margins that browsers set, at 96 pixels per inch. */
const paperWidth = 700;
/** Width below which boards have one column. */
const phoneWidth = 720;
const pollMs = 100;
/** So many looks in a row have to find everything drawn: a panel may only just begin to load. */
const calmPolls = 6;
/** Upper bound on the wait for panels; those that have not loaded by then are printed as they are. */
const maxWaitMs = 60_000;

/**
 * Printing of a board. `print` loads the panels that have not been in view, and prints once all are drawn. However it is started,
 * the board is printed as it is on the screen, scaled to the width of the paper.
 */
export function useBoardPrint(scroller: RefObject<HTMLElement | null>): { isPrinting: boolean; print: () => void } {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const fit = () => {
      const element = scroller.current;
      if (!element) return;
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      const width = element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      element.style.setProperty("--printed-width", `${width}px`);
      element.style.setProperty("--print-zoom", String(Math.min(1, paperWidth / width)));
      element.toggleAttribute("data-single-column", innerWidth <= phoneWidth);
    };
    addEventListener("beforeprint", fit);
    return () => removeEventListener("beforeprint", fit);
  }, [scroller]);
  useEffect(() => {
    if (!isPrinting) return undefined;
    const startedMs = Date.now();
    let calm = 0;
    const timer = setInterval(() => {
      calm = scroller.current === null || isDrawn(scroller.current) ? calm + 1 : 0;
      if (calm < calmPolls && Date.now() - startedMs < maxWaitMs) return;
      clearInterval(timer);
      // Returns when the dialog of the browser is closed.
      globalThis.print();
      setPrinting(false);
    }, pollMs);
    return () => clearInterval(timer);
  }, [isPrinting, scroller]);
  return { isPrinting, print: useCallback(() => setPrinting(true), []) };
}

const isDrawn = (board: HTMLElement): boolean =>
  board.querySelector("[aria-busy=true], [role=status], [role=application]:not([data-ready])") === null;
