import { rememberInTab } from "#lib/browser/tab-memory.ts";

/** Seconds by doc id. */
let positions: Record<string, number> = {};

const store = rememberInTab("video-positions", {
  restore: (stored) => {
    positions = Object.fromEntries(Object.entries(stored ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
  },
  forget: () => {
    positions = {};
  },
});

/** Position at which a video continues, in seconds: its start once it has reached its end. */
export function positionOf(docId: string, duration: number): number {
  const position = positions[docId] ?? 0;
  return position < duration - 1 ? position : 0;
}

export function rememberPosition(docId: string, seconds: number): void {
  positions = { ...positions, [docId]: seconds };
  store(positions);
}
