import type { GridAnswer } from "@fairway/contract/grid";
import { describe, expect, it } from "vitest";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import type { AskGrid } from "./grid-call.ts";
import { GridSession, type GridWish } from "./grid-session.ts";
import type { ShownView } from "./grid-view.ts";

type Asked = Parameters<AskGrid>[0] & {
  signal: AbortSignal;
  answer: (answer: GridAnswer) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
};

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A session whose calls the test answers. */
function openSession(limits = { gridCells: 262_144, mapRows: 5_000 }) {
  const asked: Asked[] = [];
  const session = new GridSession(
    (request, signal) =>
      new Promise<GridAnswer>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("aborted")));
        asked.push({
          ...request,
          signal,
          answer: async (answer) => {
            resolve(answer);
            await settled();
          },
          fail: async (error) => {
            reject(error instanceof Error ? error : new Error("failed"));
            await settled();
          },
        });
      }),
    () => limits,
  );
  return { session, asked };
}

const cells = (level: number, more: Partial<Extract<GridAnswer, { kind: "cells" }>> = {}): GridAnswer => ({
  kind: "cells",
  level,
  within: [-180, -90, 180, 90],
  rows: 7,
  cells: { x: [60, 62], y: [110, 113], rows: [3, 4] },
  ...more,
});
const totals = { rows: 9, placed: 7, missing: 2, outOfRange: 0, polar: 0 };
const view = (changed: Partial<ShownView> = {}): ShownView => ({ left: 0.2, top: 0.4, width: 0.1, height: 0.1, zoom: 4, ...changed });
const wish = (changed: Partial<ShownView> = {}, more: Partial<GridWish> = {}): GridWish => ({
  view: view(changed),
  cellPixels: 8,
  measure: null,
  values: ["name"],
  ...more,
});

/** A session that has counted the world and a first view. */
async function openCounted(limits?: Parameters<typeof openSession>[0]) {
  const opened = openSession(limits);
  opened.session.start();
  opened.session.show(wish());
  await opened.asked[0]?.answer(cells(8, { totals }));
  await opened.asked[1]?.answer(cells(10));
  return opened;
}

describe("the first view", () => {
  it("is counted in two calls: the world with its totals, and then what is in view", async () => {
    const { session, asked } = openSession();
    session.start();
    session.show(wish());
    expect(asked).toMatchObject([{ level: 8 }]);
    expect(asked[0]).not.toHaveProperty("within");
    await asked[0]?.answer(cells(8, { totals }));
    expect(session.state).toMatchObject({ totals, loaded: null });
    expect(session.state.extent?.map(Math.round)).toEqual([-96, 19, -91, 25]);
    expect(asked).toMatchObject([{}, { level: 10, rows: 5_000, values: ["name"] }]);
    expect(asked[1]?.within?.map((degrees) => Math.round(degrees * 10) / 10)).toEqual([-126.2, -18, -53.8, 47.5]);
    await asked[1]?.answer(cells(10));
    expect(session.state).toMatchObject({ startedMs: null, loaded: { wantedLevel: 10, content: { kind: "cells" } } });
  });

  it("asks for no view where no row has a location", async () => {
    const { session, asked } = openSession();
    session.start();
    session.show(wish());
    await asked[0]?.answer(cells(8, { totals: { ...totals, placed: 0 }, cells: { x: [], y: [], rows: [] } }));
    session.show(wish({ left: 0.7 }));
    expect(asked).toHaveLength(1);
  });

  it("is counted again from the start after Retry", async () => {
    const { session, asked } = openSession();
    session.start();
    await asked[0]?.fail(new GatewayError(504, [{ code: "query-timeout", message: "The query took too long." }]));
    expect(session.state).toMatchObject({ failure: ["The query took too long."], isUnmappable: false, startedMs: null });
    session.start();
    expect(asked).toHaveLength(1);
    session.retry();
    expect(asked).toMatchObject([{}, { level: 8 }]);
  });

  it("is not counted where the server cannot", async () => {
    const { session, asked } = openSession();
    session.start();
    await asked[0]?.fail(new GatewayError(400, [{ code: "not-supported", message: "Rows of this dataset have no location." }]));
    expect(session.state).toMatchObject({ isUnmappable: true, failure: ["Rows of this dataset have no location."] });
  });
});

describe("a move", () => {
  it("within what is loaded asks nothing, and beyond it once", async () => {
    const { session, asked } = await openCounted();
    for (const left of [0.21, 0.24, 0.16, 0.15]) session.show(wish({ left, top: 0.36 }));
    expect(asked).toHaveLength(2);
    session.show(wish({ left: 0.3 }));
    expect(asked).toHaveLength(3);
    expect(session.state.loaded?.range.level).toBe(10);
  });

  it("leaves one call running, however many there are", async () => {
    const { session, asked } = await openCounted();
    for (let move = 1; move <= 10; move++) session.show(wish({ left: 0.2 + move * 0.09 }));
    expect(asked).toHaveLength(12);
    expect(asked.filter(({ signal }) => !signal.aborted)).toHaveLength(3);
    expect(asked.at(-1)?.signal.aborted).toBe(false);
    expect(session.state.loaded?.content.kind).toBe("cells");
  });

  it("to where a call is under way does not ask again", async () => {
    const { session, asked } = await openCounted();
    session.show(wish({ left: 0.5 }));
    session.show(wish({ left: 0.52 }));
    expect(asked).toHaveLength(3);
    expect(asked[2]?.signal.aborted).toBe(false);
  });

  it("back ends the call for where it has left", async () => {
    const { session, asked } = await openCounted();
    session.show(wish({ left: 0.5 }));
    session.show(wish());
    expect(asked[2]?.signal.aborted).toBe(true);
    expect(session.state.startedMs).toBeNull();
  });

  it("to another zoom asks for its level, and a little one does not", async () => {
    const { session, asked } = await openCounted();
    session.show(wish({ zoom: 4.55 }));
    expect(asked).toHaveLength(2);
    session.show(wish({ zoom: 4.7 }));
    expect(asked[2]).toMatchObject({ level: 11 });
  });

  it("closer asks nothing where rows are shown one by one", async () => {
    const { session, asked } = openSession();
    session.start();
    session.show(wish());
    await asked[0]?.answer(cells(8, { totals }));
    await asked[1]?.answer({ kind: "rows", level: 10, within: [0, 0, 1, 1], rows: 1, results: [{ latitude: 1, longitude: 1 }] });
    session.show(wish({ zoom: 7, width: 0.01, height: 0.01, left: 0.23, top: 0.42 }));
    expect(asked).toHaveLength(2);
    session.show(wish({ zoom: 3, width: 0.3 }));
    expect(asked).toHaveLength(3);
  });
});

it("asks again for another measure or cell size, with larger cells than wanted only where one answer holds fewer", async () => {
  const { session, asked } = await openCounted({ gridCells: 4_500, mapRows: 20 });
  expect(asked[1]).toMatchObject({ level: 9, rows: 20 });
  session.show(wish({ left: 0.201 }));
  expect(asked).toHaveLength(2);
  session.show(wish({}, { measure: { aggregation: "avg", column: "wind" } }));
  expect(asked[2]).toMatchObject({ level: 9, measure: { aggregation: "avg", column: "wind" } });
  session.show(wish({}, { cellPixels: 32 }));
  expect(asked[3]).toMatchObject({ level: 8 });
});

it("drops what it shows after a failure, and keeps it after Cancel", async () => {
  const { session, asked } = await openCounted();
  session.show(wish({ left: 0.5 }));
  session.cancel();
  expect(asked[2]?.signal.aborted).toBe(true);
  await settled();
  expect(session.state).toMatchObject({ isCanceled: true, startedMs: null, failure: null });
  expect(session.state.loaded).not.toBeNull();
  session.retry();
  expect(session.state.isCanceled).toBe(false);
  await asked[3]?.fail(new GatewayError(503, [{ code: "engine-busy", message: "Every engine slot is taken." }]));
  expect(session.state).toMatchObject({ failure: ["Every engine slot is taken."], loaded: null });
  session.retry();
  await asked[4]?.answer(cells(10));
  expect(session.state).toMatchObject({ failure: null });
});
