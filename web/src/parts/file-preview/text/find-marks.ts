/** Names of the highlights, which file-preview.module.css colors. */
const all = "fairway-find";
const currentOne = "fairway-find-current";

interface Marked {
  pattern: RegExp | null;
  current: { block: number; nth: number } | undefined;
  /** False while something else scrolls the view. */
  isAtRest: boolean;
}

/**
 * Marks the matches in the blocks that are drawn, whatever elements they run through, and brings the current one into view. The
 * returned function removes the marks. Browsers without custom highlights mark nothing.
 * @param scroller contains the blocks, as elements with `data-index` around one with `data-searched`
 */
export function markMatches(scroller: HTMLElement, { pattern, current, isAtRest }: Marked): () => void {
  const highlights = "highlights" in CSS ? CSS.highlights : null;
  const ranges: Range[] = [];
  let currentRange: Range | undefined;
  if (pattern && highlights) {
    for (const block of scroller.querySelectorAll<HTMLElement>("[data-index]")) {
      const found = rangesIn(block.querySelector("[data-searched]") ?? block, pattern);
      ranges.push(...found);
      if (current && block.dataset["index"] === String(current.block)) currentRange = found[Math.min(current.nth, found.length - 1)];
    }
    highlights.set(all, new Highlight(...ranges));
    if (currentRange) {
      highlights.set(currentOne, new Highlight(currentRange));
      if (isAtRest) bringIntoView(scroller, currentRange, `${current?.block} ${current?.nth}`);
    }
  }
  return () => {
    highlights?.delete(all);
    highlights?.delete(currentOne);
  };
}

function rangesIn(element: Element, pattern: RegExp): Range[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  let text = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push(node);
    starts.push(text.length);
    text += node.data;
  }
  const positionAt = (offset: number): [Text, number] | null => {
    const index = starts.findLastIndex((start) => start <= offset);
    const node = nodes[index];
    return node ? [node, offset - (starts[index] ?? 0)] : null;
  };
  return Array.from(text.matchAll(pattern)).flatMap(({ index, 0: { length } }) => {
    const [start, end] = [positionAt(index), positionAt(index + length - 1)];
    if (!start || !end) return [];
    const range = new Range();
    range.setStart(...start);
    range.setEnd(end[0], end[1] + 1);
    return [range];
  });
}

const broughtIntoView = new WeakMap<HTMLElement, string>();

/** Once for each match: afterwards the view is the reader's. */
function bringIntoView(scroller: HTMLElement, range: Range, match: string): void {
  if (broughtIntoView.get(scroller) === match) return;
  broughtIntoView.set(scroller, match);
  const [view, marked] = [scroller.getBoundingClientRect(), range.getBoundingClientRect()];
  if (marked.top < view.top || marked.bottom > view.bottom) scroller.scrollTop += marked.top - view.top - view.height / 3;
}
