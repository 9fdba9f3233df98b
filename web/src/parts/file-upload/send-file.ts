import { filesetUploads } from "@fairway/contract/fileset-uploads";
import { filesets } from "@fairway/contract/filesets";
import { call } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { putContent } from "./put-content.ts";
import { sendMissingParts } from "./send-parts.ts";

interface Sending {
  readonly fileset: string;
  /** Path from the root of the fileset. */
  readonly path: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Files of this size or larger are sent in parts. */
  readonly partsFromBytes: number;
  /** Receives 0 to 99: only the answer completes the file. */
  readonly onPercent: (percent: number) => void;
  /** Called when everything is sent, and the portal works on the file. */
  readonly onSent: () => void;
  /** Receives the id of an upload in parts, which continues if this file is sent again. */
  readonly onStarted: (uploadId: string) => void;
  /** An upload in parts of which everything is sent, if only the answer was lost. */
  readonly sentUploadId: string | undefined;
}

/** Uploads one file. Rejects with a GatewayError, TransferBroken or FileUnreadable; an abort rejects with the signal's reason. */
export async function sendFile(sending: Sending): Promise<void> {
  const { fileset, path, file, signal, onSent, sentUploadId } = sending;
  if (sentUploadId !== undefined) return complete(fileset, sentUploadId, signal);
  if (file.size >= sending.partsFromBytes) return sendParts(sending);
  const { uploadUrl } = await call(filesets.uploadUrl, { params: { id: fileset }, query: { file: path } }, { signal });
  await putContent(uploadUrl, { ...sending, content: file, sentBytes: 0, headers: {}, onSent });
}

/** Skips the parts that an earlier attempt has sent, also before a reload of the page. */
async function sendParts(sending: Sending): Promise<void> {
  try {
    await sendAllParts(sending);
  } catch (error) {
    const isIncomplete = error instanceof GatewayError && error.status === 409 && error.errors[0]?.path === "uploadId";
    if (!isIncomplete) throw error;
    // The rest of an interrupted part may have arrived late at the store, in place of the part that was sent again.
    await sendAllParts(sending);
  }
}

async function sendAllParts(sending: Sending): Promise<void> {
  const { fileset, path, file, signal, onSent, onStarted } = sending;
  const body = { file: path, size: file.size, version: String(file.lastModified) };
  const { uploadId, partBytes, received } = await call(filesetUploads.start, { params: { id: fileset }, body }, { signal });
  onStarted(uploadId);
  const params = { id: fileset, uploadId };
  await sendMissingParts(
    {
      partBytes,
      received,
      partUrl: (part, crc32c) => call(filesetUploads.partUrl, { params: { ...params, part }, query: { crc32c } }, { signal }),
      confirmPart: (part, etag) => call(filesetUploads.confirmPart, { params: { ...params, part }, body: { etag } }, { signal }),
    },
    sending,
  );
  onSent();
  await complete(fileset, uploadId, signal);
}

async function complete(fileset: string, uploadId: string, signal: AbortSignal): Promise<void> {
  await call(filesetUploads.complete, { params: { id: fileset, uploadId } }, { signal });
}

/** Discards what was sent of an upload in parts. */
export const discardUpload = (fileset: string, uploadId: string): Promise<void> =>
  call(filesetUploads.abort, { params: { id: fileset, uploadId } });
