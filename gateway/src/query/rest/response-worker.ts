import { weighJson } from "#json/json-weight.ts";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";
import { type ParsedResponse, type ReadOptions, parseResponse, tooMuchToRead } from "./response-parser.ts";
import { UnreadableResponse } from "./upstream-rows.ts";

/** A task for a worker thread. */
export interface ResponseTask {
  readonly blocks: readonly Uint8Array[];
  readonly options: ReadOptions;
  /** Responses estimated to take more memory are not parsed. */
  readonly maxBytes: number;
}

/** `unreadable` completes the sentence "The service behind this dataset …". */
export type ResponseOutcome = { readonly parsed: ParsedResponse } | { readonly unreadable: string };

const readInWorker: TaskProgram<ResponseTask, ResponseOutcome> = ({ blocks, options, maxBytes }, emit) => {
  const bytes = Buffer.concat(blocks);
  if (weighJson(bytes) > maxBytes) return { unreadable: tooMuchToRead };
  try {
    return { parsed: parseResponse(bytes, options, emit) };
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    return { unreadable: error.message };
  }
};

serveTasks(readInWorker);
