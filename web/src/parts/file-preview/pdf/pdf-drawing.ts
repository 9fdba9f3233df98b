import { type PDFPageProxy, RenderingCancelledException, TextLayer } from "pdfjs-dist/legacy/build/pdf.mjs";
import { canvasRatio } from "./pdf-scale.ts";
import { pageText } from "./pdf-text.ts";

/**
 * Draws a page into a new canvas, which replaces the previous one when it is done. The returned function stops and releases it.
 * @param scale CSS pixels per point
 */
export function drawPage(
  page: PDFPageProxy,
  container: HTMLElement,
  scale: number,
  { onDrawn, onFailed }: { onDrawn: () => void; onFailed: (error: unknown) => void },
): () => void {
  const { width, height } = page.getViewport({ scale });
  const viewport = page.getViewport({ scale: scale * canvasRatio(width, height, devicePixelRatio) });
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const task = page.render({ canvas, viewport });
  task.promise.then(
    () => {
      release(container);
      container.replaceChildren(canvas);
      onDrawn();
    },
    (error: unknown) => {
      if (!(error instanceof RenderingCancelledException)) onFailed(error);
    },
  );
  return () => {
    task.cancel();
    // A canvas that is shown stays until the next one replaces it, or until its page leaves the view.
    if (!canvas.isConnected) canvas.width = canvas.height = 0;
    if (container.isConnected) return;
    release(container);
    page.cleanup();
  };
}

/** Browsers keep the memory of a canvas for a while unless it has no pixels. */
function release(container: HTMLElement): void {
  for (const canvas of container.querySelectorAll("canvas")) canvas.width = canvas.height = 0;
}

/** The elements of a page's text, in its order, and where each begins in the text of the page. */
export interface TextPieces {
  readonly elements: readonly HTMLElement[];
  readonly offsets: readonly number[];
}

const maxPieces = 50_000;

/** Writes the text of a page above its picture, transparent, so that it can be selected. A page without readable text stays a picture. */
export function writeText(page: PDFPageProxy, container: HTMLElement, onWritten: (pieces: TextPieces) => void): () => void {
  let layer: TextLayer | null = null;
  let isCurrent = true;
  const write = async () => {
    const content = await page.getTextContent();
    if (!isCurrent || content.items.length > maxPieces) return;
    layer = new TextLayer({ textContentSource: content, container, viewport: page.getViewport({ scale: 1 }) });
    await layer.render();
    onWritten({ elements: layer.textDivs, offsets: pageText(content.items).offsets });
  };
  write().catch(() => {
    // Canceled, or unreadable; the picture says the rest.
  });
  return () => {
    isCurrent = false;
    layer?.cancel();
    container.replaceChildren();
  };
}
