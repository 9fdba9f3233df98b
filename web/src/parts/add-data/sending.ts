import { partCount, partRange } from "@fairway/contract/fileset-uploads";
import type { ImportFile } from "@fairway/contract/imports";
import { create } from "zustand";

/** The state of sending the files of an import from this tab. */
export interface Sending {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Continues by itself when the server can be reached again. */
  readonly isDisconnected: boolean;
  /** Why it stopped; null while it goes on. */
  readonly failure: readonly string[] | null;
}

/** By the import's id. What is complete is not here. */
export const useSending = create<{ imports: Readonly<Record<string, Sending>> }>(() => ({ imports: {} }));

/** Of what is being sent. */
export const controllers = new Map<string, AbortController>();

/** The version of a chosen file: sending continues only with the same. */
export const versionOf = (file: File): string => String(file.lastModified);

/** Bytes of a file that are stored. */
export const receivedBytes = ({ received, size, partBytes }: ImportFile): number =>
  received.reduce((sum, part) => {
    const { start, end } = partRange(part, size, partBytes);
    return sum + end - start;
  }, 0);

/** Whether parts of a file are missing. An empty file has one part, too. */
export const isIncomplete = ({ received, size, partBytes }: ImportFile): boolean => received.length < partCount(size, partBytes);

/** Stops sending. What was sent stays for a day. */
export function stopSending(id: string): void {
  controllers.get(id)?.abort(new DOMException("stopped", "AbortError"));
  forget(id);
}

export function forget(id: string): void {
  controllers.delete(id);
  useSending.setState(({ imports: all }) => ({ imports: Object.fromEntries(Object.entries(all).filter(([one]) => one !== id)) }));
}
