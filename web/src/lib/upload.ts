import type { ResultOf, RouteShape } from "@fairway/contract/route";
import { currentToken, urlOf } from "./call.ts";
import { noteUnanswered } from "./connection.ts";
import { errorsOf } from "./error-answer.ts";
import { GatewayError } from "./gateway-error.ts";
import { readAnswer } from "./read-answer.ts";

type FileRoute = RouteShape & { file: { field: string } };

interface UploadOptions {
  /** From 0 to 100. */
  onPercent: (percent: number) => void;
  signal: AbortSignal;
}

/** Sends one file to a route that takes one, and tells how far it is. Throws only GatewayError (an abort rejects with the signal's reason). */
export async function upload<R extends FileRoute>(route: R, file: File, { onPercent, signal }: UploadOptions): Promise<ResultOf<R>> {
  const token = await currentToken();
  // fetch does not tell how much of a body has left.
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    request.addEventListener("load", () => resolve());
    request.addEventListener("error", () => {
      noteUnanswered();
      reject(new GatewayError(0, []));
    });
    request.addEventListener("abort", () => reject(signal.reason as Error));
  });
  request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
    if (lengthComputable) onPercent(Math.min(100, Math.floor((loaded * 100) / total)));
  });
  request.open(route.method, urlOf(route));
  request.setRequestHeader("accept", "application/json");
  if (token !== undefined) request.setRequestHeader("authorization", `Bearer ${token}`);
  const abort = () => request.abort();
  signal.addEventListener("abort", abort);
  const form = new FormData();
  form.append(route.file.field, file);
  try {
    request.send(form);
    await done;
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return answerOf(route, request);
}

function answerOf<R extends FileRoute>(route: R, { status, responseText }: XMLHttpRequest): ResultOf<R> {
  if (status >= 300) throw new GatewayError(status, errorsOf(responseText));
  return readAnswer(route.response, responseText) as ResultOf<R>;
}
