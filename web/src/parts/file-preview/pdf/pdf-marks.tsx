import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TextPieces } from "./pdf-drawing.ts";
import type { PdfMatch } from "./pdf-text.ts";
import classes from "./pdf.module.css";

const maxMarks = 2_000;

interface Mark {
  isCurrent: boolean;
  /** In percent of the page, so that they hold at every zoom. */
  box: { left: string; top: string; width: string; height: string };
}

/** The matches of a page, marked below its text. The current one is scrolled into view. */
export function PdfMarks({
  pieces,
  matches,
  current,
}: {
  pieces: TextPieces;
  matches: readonly PdfMatch[];
  current: PdfMatch | undefined;
}) {
  const layer = useRef<HTMLDivElement>(null);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  useLayoutEffect(() => {
    const whole = layer.current?.getBoundingClientRect();
    if (!whole || whole.width === 0) return;
    setMarks(
      matches.slice(0, maxMarks).flatMap((match) =>
        rectsOf(pieces, match).map((rect) => ({
          isCurrent: match === current,
          box: {
            left: `${(100 * (rect.left - whole.left)) / whole.width}%`,
            top: `${(100 * (rect.top - whole.top)) / whole.height}%`,
            width: `${(100 * rect.width) / whole.width}%`,
            height: `${(100 * rect.height) / whole.height}%`,
          },
        })),
      ),
    );
  }, [pieces, matches, current]);
  useEffect(() => {
    if (marks.some(({ isCurrent }) => isCurrent)) {
      layer.current?.querySelector("[data-current]")?.scrollIntoView({ block: "center", inline: "nearest" });
    }
  }, [marks]);
  return (
    <div ref={layer} className={classes["marks"]} aria-hidden>
      {marks.map(({ isCurrent, box }, index) => (
        // Marks have no identity other than their index.
        // oxlint-disable-next-line react/no-array-index-key
        <mark key={index} style={box} {...(isCurrent ? { "data-current": true } : {})} />
      ))}
    </div>
  );
}

/** Rectangles of a match on the screen, one for each piece of text that it runs through. */
function rectsOf({ elements, offsets }: TextPieces, { start, end }: PdfMatch): DOMRect[] {
  const first = Math.max(
    0,
    offsets.findLastIndex((offset) => offset <= start),
  );
  const rects: DOMRect[] = [];
  for (let index = first; index < elements.length && (offsets[index] ?? end) < end; index += 1) {
    const node = elements[index]?.firstChild;
    const offset = offsets[index] ?? 0;
    if (!(node instanceof Text)) continue;
    const [from, to] = [Math.max(0, start - offset), Math.min(node.length, end - offset)];
    if (from >= to) continue;
    const range = new Range();
    range.setStart(node, from);
    range.setEnd(node, to);
    rects.push(...range.getClientRects());
  }
  return rects;
}
