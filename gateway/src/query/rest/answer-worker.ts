import { weighJson } from "#json/json-weight.ts";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";
import { type ParsedAnswer, type ReadOptions, readAnswer, tooMuchToRead } from "./answer-reading.ts";
import { UnreadableAnswer } from "./upstream-rows.ts";

/** A task for a worker thread. */
export interface AnswerTask {
  readonly blocks: readonly Uint8Array[];
  readonly options: ReadOptions;
  /** Answers estimated to take more memory are not parsed. */
  readonly maxBytes: number;
}

/** `unreadable` completes the sentence "The upstream of this dataset …". */
export type AnswerOutcome = { readonly parsed: ParsedAnswer } | { readonly unreadable: string };

const readInWorker: TaskProgram<AnswerTask, AnswerOutcome> = ({ blocks, options, maxBytes }, emit) => {
  const bytes = Buffer.concat(blocks);
  if (weighJson(bytes) > maxBytes) return { unreadable: tooMuchToRead };
  try {
    return { parsed: readAnswer(bytes, options, emit) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { unreadable: error.message };
  }
};

serveTasks(readInWorker);
