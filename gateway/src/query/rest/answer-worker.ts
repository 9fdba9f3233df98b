import { weighJson } from "#json/json-weight.ts";
import { type TaskProgram, serveTasks } from "#threads/worker-side.ts";
import { type AnswerRead, type AnswerReading, readAnswer, tooMuchToRead } from "./answer-reading.ts";
import { UnreadableAnswer } from "./upstream-rows.ts";

/** Reads answers in a worker thread. */
export interface AnswerTask {
  readonly blocks: readonly Uint8Array[];
  readonly reading: AnswerReading;
  /** An answer that would take more memory is not even tried. */
  readonly maxBytes: number;
}

/** `unreadable` continues the sentence "The upstream of this dataset …". */
export type AnswerOutcome = { readonly read: AnswerRead } | { readonly unreadable: string };

const readInWorker: TaskProgram<AnswerTask, AnswerOutcome> = ({ blocks, reading, maxBytes }, emit) => {
  const bytes = Buffer.concat(blocks);
  if (weighJson(bytes) > maxBytes) return { unreadable: tooMuchToRead };
  try {
    return { read: readAnswer(bytes, reading, emit) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { unreadable: error.message };
  }
};

serveTasks(readInWorker);
