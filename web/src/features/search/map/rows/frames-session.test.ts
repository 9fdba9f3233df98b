import type { TimeDistribution } from "@fairway/contract/distributions";
import type { GridRequestDraft } from "@fairway/contract/grid";
import { expect, it } from "vitest";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { FramesSession } from "./frames-session.ts";
import type { LoadedGrid } from "./grid-session.ts";

/** 92 half years, of which the first one begins in a July. */
const halfYears: TimeDistribution = {
  unit: "month",
  size: 6,
  buckets: Array.from({ length: 92 }, (_, index) => ({
    startMs: Date.UTC(1975, 6 + 6 * index),
    endMs: Date.UTC(1975, 12 + 6 * index),
    rows: 1,
  })),
  newestMs: null,
};
const range = { level: 8, left: 60, top: 80, columns: 64, rows: 64 };
const loaded: LoadedGrid = { range, wantedLevel: 8, measure: null, content: { kind: "rows", rows: [] } };

function sessionOf({ buckets = halfYears.buckets, refusedAbove = 24 }) {
  const asked: Omit<GridRequestDraft, "filters">[] = [];
  const session = new FramesSession(
    {
      overTime: () => Promise.resolve({ ...halfYears, buckets }),
      grid: (request) => {
        asked.push(request);
        if (request.level > refusedAbove) return Promise.reject(new GatewayError(413, [{ code: "too-large", message: "Too many." }]));
        return Promise.resolve({
          kind: "cells",
          level: request.level,
          within: request.within ?? [],
          rows: 0,
          cells: { x: [], y: [], rows: [] },
          time: { buckets: [], untimed: 0, elsewhen: 0 },
          frames: { cell: [], bucket: [], rows: [] },
        });
      },
    },
    () => ({ gridFrameValues: 250_000 }),
  );
  return { session, asked };
}

it("plays at most 60 steps, which begin where the calendar says", async () => {
  const { session, asked } = sessionOf({});
  await session.load(loaded);
  expect(asked).toMatchObject([{ level: 7, time: { unit: "year", size: 1, startMs: Date.UTC(1975), endMs: Date.UTC(2021, 6) } }]);
  expect(session.getState()).toMatchObject({ ready: { of: loaded, range: { level: 7 } }, startedMs: null, failure: null });
});

it("asks for larger cells where there are too many values", async () => {
  const { session, asked } = sessionOf({ refusedAbove: 5 });
  await session.load(loaded);
  expect(asked.map(({ level }) => level)).toEqual([7, 6, 5]);
});

it("fails where no row has a time", async () => {
  const { session, asked } = sessionOf({ buckets: [] });
  await session.load(loaded);
  expect([asked, session.getState().failure]).toEqual([[], ["None of the rows here has a time."]]);
});
