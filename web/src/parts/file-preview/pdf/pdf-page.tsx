import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { useDelayElapsed } from "#ui/states.tsx";
import { drawPage, type TextPieces, writeText } from "./pdf-drawing.ts";
import type { PdfDocument } from "./pdf-document.ts";
import { linksOf, type PdfLink } from "./pdf-links.ts";
import type { PageSize } from "./pdf-scale.ts";
import { PdfMarks } from "./pdf-marks.tsx";
import type { PdfMatch } from "./pdf-text.ts";
import classes from "./pdf.module.css";

interface PdfPageProps {
  document: PdfDocument;
  /** Zero-based. */
  index: number;
  /** CSS pixels from the top of the first page. */
  top: number;
  /** CSS pixels per point. */
  scale: number;
  size: PageSize;
  /** Whether a picture on it cannot be drawn. */
  lacksPicture: boolean;
  matches: readonly PdfMatch[] | undefined;
  current: PdfMatch | undefined;
  onSize: (index: number, size: PageSize) => void;
  onGo: (index: number) => void;
}

/** One page: its picture, its text above it for selecting, matches and links. Everything is released when it leaves the view. */
export function PdfPage({ document, index, top, scale, size, lacksPicture, matches, current, onSize, onGo }: PdfPageProps) {
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const [isDrawn, setIsDrawn] = useState(false);
  const [pieces, setPieces] = useState<TextPieces | null>(null);
  const [links, setLinks] = useState<readonly PdfLink[]>([]);
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isCurrent = true;
    const failed = (error: unknown) => {
      if (!isCurrent) return;
      logFailure(`Page ${index + 1} of a PDF file cannot be shown`, error);
      setHasFailed(true);
    };
    const load = async () => {
      const loaded = await document.getPage(index + 1);
      if (!isCurrent) return;
      const { width, height } = loaded.getViewport({ scale: 1 });
      onSize(index, { width, height });
      setPage(loaded);
      const found = await linksOf(loaded);
      if (isCurrent) setLinks(found);
    };
    load().catch(failed);
    return () => {
      isCurrent = false;
    };
  }, [document, index, onSize]);

  useEffect(() => {
    if (!page || !picture.current) return undefined;
    return drawPage(page, picture.current, scale, {
      onDrawn: () => setIsDrawn(true),
      onFailed: (error) => {
        logFailure(`Page ${index + 1} of a PDF file cannot be drawn`, error);
        setHasFailed(true);
      },
    });
  }, [page, scale, index]);

  useEffect(() => {
    if (!page || !text.current) return undefined;
    return writeText(page, text.current, setPieces);
  }, [page]);

  return (
    <div
      className={classes["page"]}
      role="group"
      aria-label={`Page ${index + 1}`}
      style={{
        top,
        width: size.width * scale,
        height: size.height * scale,
        ["--total-scale-factor" as string]: scale,
      }}
    >
      <div ref={picture} className={classes["picture"]} />
      {matches && pieces && <PdfMarks pieces={pieces} matches={matches} current={current} />}
      <div ref={text} className={classes["text"]} />
      {links.map((link, at) => (
        // Links have no identity other than their index.
        // oxlint-disable-next-line react/no-array-index-key
        <LinkBox key={at} document={document} link={link} onGo={onGo} />
      ))}
      {lacksPicture && !hasFailed && <p className={classes["lacking"]}>{"A picture on this page can't be shown."}</p>}
      {!isDrawn && !hasFailed && <StillDrawing />}
      {hasFailed && <p className={classes["failed"]}>This page can't be shown. Download the file to see it.</p>}
    </div>
  );
}

/** Distinguishes a page that takes long from an empty one. */
function StillDrawing() {
  const isLate = useDelayElapsed(1_000);
  if (!isLate) return null;
  return (
    <p role="status" className={classes["failed"]}>
      Still drawing this page. If it takes too long, download the file.
    </p>
  );
}

function LinkBox({ document, link: { box, url, pageOf }, onGo }: { document: PdfDocument; link: PdfLink; onGo: (index: number) => void }) {
  if (url !== null) {
    return <a className={classes["link"]} style={box} href={url} title={url} aria-label={url} target="_blank" rel="noopener noreferrer" />;
  }
  const go = async () => {
    const index = await pageOf(document);
    if (index !== null) onGo(index);
  };
  return (
    <button type="button" className={classes["link"]} style={box} aria-label="Go to the page of this link" onClick={() => void go()} />
  );
}
