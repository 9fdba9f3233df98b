import { pluralize } from "@fairway/contract/counts";
import { useElementSize, useMergedRef, useWindowEvent } from "@mantine/hooks";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { PdfDocument } from "./pdf-document.ts";
import { leftOutNote } from "./pdf-left-out.ts";
import { PdfPage } from "./pdf-page.tsx";
import { PdfPager } from "./pdf-pager.tsx";
import { nextZoom, pageAt, type PageSize, pageScale, pageTops, type Zoom, zoomOf } from "./pdf-scale.ts";
import { useFind } from "#lib/text/use-find.ts";
import { usePdfMatches } from "./use-pdf-matches.ts";
import { ViewFrame } from "../view-frame.tsx";
import classes from "./pdf.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

const maxPages = 10_000;
const gap = 16;
/** Space below the last page, for the toolbar above it. */
const endSpace = 64;

interface PdfPagesProps {
  document: PdfDocument;
  firstSize: PageSize;
  /** Pages with pictures that cannot be drawn, zero-based; null for one on an unknown page. */
  leftOut: ReadonlySet<number | null>;
}

/** The pages of a document, one below the other. Only those in view are drawn. */
export function PdfPages({ document, firstSize, leftOut }: PdfPagesProps) {
  const count = Math.min(document.numPages, maxPages);
  const [zoom, setZoom] = useState<Zoom>("auto");
  // Pages are as large as the first one until they are loaded.
  const [sizes, setSizes] = useState<ReadonlyMap<number, PageSize>>(new Map());
  const [shown, setShown] = useState({ page: 0, first: 0, last: 1 });
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measured, width } = useElementSize();
  const scrollerRef = useMergedRef(scroller, measured);

  const { pages, heights, tops } = useMemo(() => {
    const available = Math.max(100, width - 2 * (width < 600 ? 12 : 32));
    const pages = Array.from({ length: count }, (_, index) => {
      const size = sizes.get(index) ?? firstSize;
      return { size, scale: pageScale(zoom, size, available, count) };
    });
    const heights = pages.map((each) => each.size.height * each.scale);
    return { pages, heights, tops: pageTops(heights, gap) };
  }, [count, sizes, firstSize, zoom, width]);
  const inView = pages.slice(shown.first, shown.last + 1);
  const widest = Math.max(0, ...inView.map((each) => each.size.width * each.scale));
  const { page } = shown;

  const top = useRef({ index: 0, part: 0 });
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    const index = pageAt(tops, scrollTop + gap);
    top.current = { index, part: (scrollTop + gap - (tops[index] ?? 0)) / (heights[index] ?? 1) };
    const next = {
      page: scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2 ? count - 1 : pageAt(tops, scrollTop + clientHeight * 0.4),
      first: pageAt(tops, scrollTop - clientHeight / 2),
      last: pageAt(tops, scrollTop + clientHeight * 1.5),
    };
    if (next.page !== shown.page || next.first !== shown.first || next.last !== shown.last) setShown(next);
  };
  // Keeps what is at the top of the view there when the zoom, the view or a page above changes its size.
  useLayoutEffect(() => {
    const { index, part } = top.current;
    if (scroller.current) scroller.current.scrollTop = (tops[index] ?? 0) - gap + part * (heights[index] ?? 0);
    onScroll();
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tops, heights]);
  const goTo = useCallback((index: number) => scroller.current?.scrollTo({ top: (tops[index] ?? 0) - gap }), [tops]);
  const onSize = useCallback(
    (index: number, size: PageSize) =>
      setSizes((known) => {
        const { width: knownWidth, height } = known.get(index) ?? firstSize;
        return knownWidth === size.width && height === size.height ? known : new Map(known).set(index, size);
      }),
    [firstSize],
  );

  const find = useFind();
  const matches = usePdfMatches(document, count, find.pattern, find.onFound);
  const match = matches[find.current];
  const matchesByPage = useMemo(() => Map.groupBy(matches, (each) => each.page), [matches]);
  useLayoutEffect(() => {
    if (match && (match.page < shown.first || match.page > shown.last)) goTo(match.page);
    // Only a step to another match moves the view.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [match]);

  const scale = pages[page]?.scale ?? 1;
  const changeZoom = (by: -1 | 1) => setZoom(nextZoom(scale, by));
  useWindowEvent("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    if (event.defaultPrevented) return;
    const turned = pressed(event, "preview.page");
    const zoomed = isTyping ? null : pressed(event, "preview.zoom");
    if (turned) goTo(turned === "PageDown" ? Math.min(count - 1, page + 1) : Math.max(0, page - 1));
    else if (zoomed) changeZoom(zoomed === "-" ? -1 : 1);
    else return;
    event.preventDefault();
  });

  const cut = document.numPages > count ? `Shows the first ${count.toLocaleString("en-US")} pages.` : undefined;
  const note = [cut, leftOutNote(leftOut)].filter((each) => each !== undefined).join(" ") || undefined;
  return (
    <ViewFrame summary={pluralize(document.numPages, "page")} note={note} find={find}>
      <div className={classes["view"]}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
        <div ref={scrollerRef} className={classes["pages"]} role="region" aria-label="Pages" tabIndex={0} onScroll={onScroll}>
          <div style={{ height: (tops[count] ?? 0) + endSpace, width: widest > width ? widest + 2 * gap : "100%" }}>
            {width > 0 &&
              inView.map((each, at) => {
                const index = shown.first + at;
                return (
                  <PdfPage
                    key={index}
                    document={document}
                    index={index}
                    top={tops[index] ?? 0}
                    scale={each.scale}
                    size={each.size}
                    matches={matchesByPage.get(index)}
                    lacksPicture={leftOut.has(index) || (count === 1 && leftOut.has(null))}
                    current={match?.page === index ? match : undefined}
                    onSize={onSize}
                    onGo={goTo}
                  />
                );
              })}
          </div>
        </div>
        <PdfPager
          page={page + 1}
          pages={count}
          zoom={zoomOf(scale)}
          onPage={(wanted) => goTo(wanted - 1)}
          onZoom={changeZoom}
          onFitWidth={() => setZoom("width")}
        />
      </div>
    </ViewFrame>
  );
}
