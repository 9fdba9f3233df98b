import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { safeLink } from "#parts/markdown/safe-link.ts";
import type { PdfDocument } from "./pdf-document.ts";

export interface PdfLink {
  /** In percent of the page. */
  box: { left: string; top: string; width: string; height: string };
  /** Null for a link within the document. */
  url: string | null;
  /** The zero-based page that a link within the document leads to; null if there is none. */
  pageOf: (document: PdfDocument) => Promise<number | null>;
}

const maxLinks = 1_000;

/** The links of a page to the web, to a mailbox or to another page. All others, and actions such as scripts, are left out. */
export async function linksOf(page: PDFPageProxy): Promise<PdfLink[]> {
  const viewport = page.getViewport({ scale: 1 });
  const annotations: unknown[] = await page.getAnnotations({ intent: "display" });
  return annotations.slice(0, maxLinks).flatMap((annotation) => {
    if (!isLink(annotation)) return [];
    const { rect, url, dest } = annotation;
    const href = typeof url === "string" ? safeLink(url) : null;
    if (href === null && !dest) return [];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[];
    const percent = (length: number, whole: number) => `${(100 * length) / whole}%`;
    const box = {
      left: percent(Math.min(x1, x2), viewport.width),
      top: percent(Math.min(y1, y2), viewport.height),
      width: percent(Math.abs(x2 - x1), viewport.width),
      height: percent(Math.abs(y2 - y1), viewport.height),
    };
    return [{ box, url: href, pageOf: (document: PdfDocument) => pageOf(document, dest) }];
  });
}

const isLink = (value: unknown): value is { rect: number[]; url?: unknown; dest?: unknown } =>
  typeof value === "object" &&
  value !== null &&
  "subtype" in value &&
  value.subtype === "Link" &&
  "rect" in value &&
  Array.isArray(value.rect);

async function pageOf(document: PdfDocument, dest: unknown): Promise<number | null> {
  try {
    const explicit: unknown = typeof dest === "string" ? await document.getDestination(dest) : dest;
    const target: unknown = Array.isArray(explicit) ? explicit[0] : null;
    if (typeof target === "number") return target < document.numPages ? target : null;
    return target === null ? null : await document.getPageIndex(target as Parameters<PdfDocument["getPageIndex"]>[0]);
  } catch {
    return null;
  }
}
