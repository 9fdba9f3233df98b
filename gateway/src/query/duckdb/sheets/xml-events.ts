import { SaxesParser } from "saxes";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";

/** Elements by their local names: some writers of workbooks use prefixes. */
export interface XmlHandlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/**
 * Reads XML piece by piece, and yields after each piece. Rejects with UnreadableWorkbook if it is not well-formed or ends too early;
 * `part` names it in the message. Entities that the document defines itself are refused.
 */
export async function* xmlEvents(chunks: AsyncIterable<Buffer>, part: string, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  let failure: Error | undefined;
  parser.on("error", (error) => (failure ??= error));
  parser.on("doctype", () => (failure ??= new Error("it has a DOCTYPE")));
  if (handlers.open) parser.on("opentag", ({ name, attributes }) => handlers.open?.(localName(name), attributes));
  if (handlers.text) {
    parser.on("text", handlers.text);
    parser.on("cdata", handlers.text);
  }
  if (handlers.close) parser.on("closetag", ({ name }) => handlers.close?.(localName(name)));
  const decoder = new TextDecoder();
  const check = () => {
    if (failure === undefined) return;
    const isCut = /unclosed|must contain a root|unexpected end/i.test(failure.message);
    throw new UnreadableWorkbook(isCut ? `${part} ends in the middle` : `${part} is damaged`, { cause: failure });
  };
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    check();
    yield;
  }
  parser.write(decoder.decode());
  parser.close();
  check();
  yield;
}

/** Reads all of it. */
export async function readXml(chunks: AsyncIterable<Buffer>, part: string, handlers: XmlHandlers): Promise<void> {
  for await (const _ of xmlEvents(chunks, part, handlers));
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** An attribute by its local name. */
export const attributeOf = (attributes: Readonly<Record<string, string>>, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([key]) => localName(key) === name)?.[1];
