import { type DataImport, type ImportFile, imports } from "@fairway/contract/imports";
import { partCount, partRange } from "@fairway/contract/fileset-uploads";
import { create } from "zustand";
import { logFailure } from "#lib/browser/log.ts";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { keepSending } from "#parts/file-upload/keep-sending.ts";
import { sendMissingParts } from "#parts/file-upload/send-parts.ts";

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

const controllers = new Map<string, AbortController>();

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

/** Sends what is missing of the files, by their place in the import, and says when all is there. Goes on while other screens are shown. */
export function startSending(data: DataImport, files: ReadonlyMap<number, File>): void {
  const { id } = data;
  if (controllers.has(id)) return;
  const controller = new AbortController();
  controllers.set(id, controller);
  const totalBytes = data.files.reduce((sum, { size }) => sum + size, 0);
  const show = (sending: Partial<Sending>) =>
    useSending.setState(({ imports: all }) => ({
      imports: { ...all, [id]: { sentBytes: 0, totalBytes, isDisconnected: false, failure: null, ...all[id], ...sending } },
    }));
  show({ sentBytes: data.files.reduce((sum, file) => sum + receivedBytes(file), 0), failure: null });
  sendAll(data, files, controller.signal, show).then(
    () => forget(id),
    (error: unknown) => {
      if (controller.signal.aborted) return;
      controllers.delete(id);
      logFailure("A file could not be sent", error);
      show({ failure: messagesOf(error), isDisconnected: false });
    },
  );
}

/** Stops sending. What was sent stays for a day. */
export function stopSending(id: string): void {
  controllers.get(id)?.abort(new DOMException("stopped", "AbortError"));
  forget(id);
}

function forget(id: string): void {
  controllers.delete(id);
  useSending.setState(({ imports: all }) => ({ imports: Object.fromEntries(Object.entries(all).filter(([one]) => one !== id)) }));
}

async function sendAll(
  { id, files: listed }: DataImport,
  files: ReadonlyMap<number, File>,
  signal: AbortSignal,
  show: (sending: Partial<Sending>) => void,
): Promise<void> {
  let newest = listed;
  const complete = new Set<number>();
  const sentOfOthers = (number: number) =>
    newest.reduce((sum, one) => sum + (complete.has(one.number) ? one.size : one.number === number ? 0 : receivedBytes(one)), 0);
  const options = {
    signal,
    continues: true,
    onWaiting: () => undefined,
    onDisconnected: () => show({ isDisconnected: true }),
  };
  for (const { number } of listed) {
    const file = files.get(number);
    if (file === undefined) continue;
    let [isFirst, furthest] = [true, 0];
    await keepSending(async (onProgress) => {
      // After a failure, only the server knows which parts have arrived.
      if (!isFirst) newest = (await call(imports.one, { params: { id } }, { signal })).files;
      isFirst = false;
      const current = newest.find((one) => one.number === number);
      if (current === undefined || !isIncomplete(current)) return;
      const params = { id, n: String(number) };
      await sendMissingParts(
        {
          partBytes: current.partBytes,
          received: current.received,
          partUrl: (part, crc32c) => call(imports.partUrl, { params: { ...params, part }, query: { crc32c } }, { signal }),
          confirmPart: (part, etag) => call(imports.confirmPart, { params: { ...params, part }, body: { etag } }, { signal }),
        },
        {
          file,
          signal,
          onPercent: (percent) => {
            if (percent > furthest) onProgress();
            furthest = percent;
            show({ sentBytes: sentOfOthers(number) + Math.round((file.size * percent) / 100), isDisconnected: false });
          },
        },
      );
    }, options);
    complete.add(number);
  }
  await keepSending(() => call(imports.complete, { params: { id } }, { signal }), options);
}
