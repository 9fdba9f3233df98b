import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { TimeSlice } from "#threads/time-slice.ts";

const cellsPerChunk = 2_000;

/** Serializes some cells at a time: fifty thousand at once would block the event loop. */
export async function* answerText({ cells, ...answer }: BreakdownAnswer): AsyncGenerator<string> {
  const slice = new TimeSlice();
  yield `${JSON.stringify(answer).slice(0, -1)},"cells":[`;
  for (let from = 0; from < cells.length; from += cellsPerChunk) {
    await slice.end();
    yield `${from === 0 ? "" : ","}${JSON.stringify(cells.slice(from, from + cellsPerChunk)).slice(1, -1)}`;
  }
  yield "]}";
}
