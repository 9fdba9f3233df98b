import { useEffect, useRef, useState } from "react";
import type { PdfDocument } from "./pdf-document.ts";
import { matchesOf, pageText, type PdfMatch } from "./pdf-text.ts";
import { maxMatches } from "#lib/text/use-find.ts";

const reportMs = 200;

/** The matches in a document, page by page: those of the first pages are shown while later ones are searched. */
export function usePdfMatches(
  document: PdfDocument,
  pages: number,
  pattern: RegExp | null,
  onFound: (count: number) => void,
): readonly PdfMatch[] {
  const texts = useRef(new Map<number, string>());
  const [result, setResult] = useState<{ pattern: RegExp | null; matches: readonly PdfMatch[] }>({ pattern: null, matches: [] });
  useEffect(() => {
    if (!pattern) return undefined;
    let isCurrent = true;
    const textOf = async (page: number): Promise<string> => {
      const known = texts.current.get(page);
      if (known !== undefined) return known;
      const { text } = await loadPageText(document, page);
      texts.current.set(page, text);
      return text;
    };
    const search = async () => {
      const matches: PdfMatch[] = [];
      let reportedMs = performance.now();
      const report = () => {
        setResult({ pattern, matches: [...matches] });
        onFound(matches.length);
        reportedMs = performance.now();
      };
      for (let page = 0; page < pages && matches.length < maxMatches; page += 1) {
        const text = await textOf(page);
        if (!isCurrent) return;
        matches.push(...matchesOf(text, pattern, page, maxMatches - matches.length));
        if (matches.length > 0 && performance.now() - reportedMs > reportMs) report();
      }
      report();
    };
    void search();
    return () => {
      isCurrent = false;
    };
  }, [document, pages, pattern, onFound]);
  return result.pattern === pattern && pattern !== null ? result.matches : [];
}

/** A page that cannot be read has no text; what is wrong with it is said where it is shown. */
async function loadPageText(document: PdfDocument, page: number): Promise<{ text: string }> {
  try {
    const { items } = await (await document.getPage(page + 1)).getTextContent();
    return pageText(items);
  } catch {
    return { text: "" };
  }
}
