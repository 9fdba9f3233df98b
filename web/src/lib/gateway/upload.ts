import type { ResultOf, RouteShape } from "@fairway/contract/route";
import { currentToken, urlOf } from "./call.ts";
import { checkConnection } from "./connection.ts";
import { parseErrors } from "./error-response.ts";
import { GatewayError } from "./gateway-error.ts";
import { parseResponse } from "./parse-response.ts";

type FileRoute = RouteShape & { file: { field: string } };

interface UploadOptions {
  /** Receives a percentage from 0 to 100. */
  onPercent: (percent: number) => void;
  signal: AbortSignal;
}

/** Uploads one file and reports progress. Throws only GatewayError (an abort rejects with the signal's reason). */
export async function upload<R extends FileRoute>(route: R, file: File, options: UploadOptions): Promise<ResultOf<R>> {
  const form = new FormData();
  form.append(route.file.field, file);
  return readResult(route, await send(route, urlOf(route), form, options));
}

/** Like `upload`, for a route whose body is the content itself. */
export async function uploadContent<R extends RouteShape & { rawBody: true }>(
  route: R,
  params: Record<string, string>,
  file: File,
  options: UploadOptions,
): Promise<ResultOf<R>> {
  return readResult(route, await send(route, urlOf(route, params), file, options));
}

async function send(route: RouteShape, url: string, body: FormData | File, { onPercent, signal }: UploadOptions): Promise<XMLHttpRequest> {
  const token = await currentToken();
  // fetch reports no upload progress.
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.addEventListener("load", () => resolve());
    request.addEventListener("error", () => {
      checkConnection();
      reject(new GatewayError(0, []));
    });
    request.addEventListener("abort", () => reject(signal.reason as Error));
  });
  request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
    if (lengthComputable) onPercent(Math.min(100, Math.floor((loaded * 100) / total)));
  });
  request.open(route.method, url);
  request.setRequestHeader("accept", "application/json");
  if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
  const abort = () => request.abort();
  signal.addEventListener("abort", abort);
  try {
    request.send(body);
    await done;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return request;
}

function readResult<R extends RouteShape>(route: R, { status, responseText }: XMLHttpRequest): ResultOf<R> {
  if (status >= 300) throw new GatewayError(status, parseErrors(responseText));
  return parseResponse(route.response, responseText) as ResultOf<R>;
}
