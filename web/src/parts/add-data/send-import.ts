import { type DataImport, imports } from "@fairway/contract/imports";
import { logFailure } from "#lib/browser/log.ts";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { keepSending } from "#parts/file-upload/keep-sending.ts";
import { sendMissingParts } from "#parts/file-upload/send-parts.ts";
import { importQuery } from "./queries.ts";
import { controllers, forget, isIncomplete, receivedBytes, type Sending, useSending } from "./sending.ts";

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
  await keepSending(async () => {
    const completed = await call(imports.complete, { params: { id } }, { signal });
    const { queryKey } = importQuery(id);
    // Shown before it is no longer said to be sent, and not followed by an answer from before.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, completed);
  }, options);
}
