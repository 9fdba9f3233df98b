/** Reads and decodes PDF files outside the page's thread. */
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
