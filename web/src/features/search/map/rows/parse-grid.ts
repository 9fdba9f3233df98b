import type { GridAnswer } from "@fairway/contract/grid";
import { isJsonObject } from "@fairway/contract/json";
import { UnreadableResponse } from "#parts/open-searches/search-api.ts";

/**
 * Reads an answer without checking each number, which takes ten times as long as reading them. Throws UnreadableResponse for anything else
 * than columns of the same length, or rows.
 */
export function parseGrid(text: string): GridAnswer {
  const answer = jsonOf(text);
  if (!isJsonObject(answer) || !(answer["kind"] === "rows" ? Array.isArray(answer["results"]) : hasCells(answer))) {
    throw new UnreadableResponse("The server's response has an unknown format.");
  }
  return answer as unknown as GridAnswer;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableResponse("The server's response is not JSON.");
  }
}

function hasCells({ kind, level, cells }: Record<string, unknown>): boolean {
  if (kind !== "cells" || typeof level !== "number" || !isJsonObject(cells)) return false;
  const lengths = ["x", "y", "rows", "counted", "value"].flatMap((name) => {
    const column = cells[name];
    return column === undefined && (name === "counted" || name === "value") ? [] : [Array.isArray(column) ? column.length : -1];
  });
  return lengths.every((length) => length >= 0 && length === lengths[0]);
}
