// @ts-check
// Searches of a dataset with access rules, compared with the same searches of the same rows without rules.
import { Caller, expectOk } from "./lib/caller.mjs";
import { compared, comparedHead } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";

const origins = ["ATL", "ORD", "DFW", "LAX", "PHX", "DEN", "DTW", "IAH", "MSP", "SFO"];

/** @param {string} origin */
const ofOrigin = (origin) => ({ roles: ["*"], rows: { filters: [{ name: "origin", operator: "=", value: origin }] } });
/** Differ in two columns, so that they cannot become one list. @param {number} index */
const ofPair = (index) => ({
  roles: ["*"],
  rows: {
    filters: [
      { name: "origin", operator: "=", value: origins[index % origins.length] },
      { name: "distance", operator: "<", value: 300 + index * 10 },
    ],
  },
});
/** @param {readonly object[]} grants */
const rule = (grants) => ({ rules: [{ name: "Origin", grants }] });

const cases = [
  { kind: "1 grant", access: rule([ofOrigin("ATL")]) },
  { kind: "10 grants, merged to a list", access: rule(origins.map(ofOrigin)) },
  { kind: "10 grants that cannot be merged", access: rule(origins.map((_, index) => ofPair(index))) },
  { kind: "50 grants that cannot be merged", access: rule(Array.from({ length: 50 }, (_, index) => ofPair(index))) },
  {
    kind: "a withheld and a coarse column",
    access: {
      columns: [
        { names: ["destination"], roles: ["audit"], others: "withheld" },
        { names: ["distance"], roles: ["audit"], others: { step: 100 } },
      ],
    },
  },
];

/** Every turn asks for other rows, because answers may be kept. @param {number} turn */
const timeRange = (turn) => ({ start: "2001-01-01T00:00:00.000Z", end: new Date(Date.UTC(2001, 6, 1) - turn * 1000).toISOString() });

const questions = [
  { question: "count", path: "/rowCount", body: {} },
  { question: "page of 25 by time", path: "/search", body: { paging: { offset: 0, max: 25 } } },
  { question: "average", path: "/aggregate/avg/delay", body: {} },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "access",
    title: "Access rules",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const admin = await Caller.signIn(origin, "admin");
      const caller = await Caller.signIn(origin, "viewer");
      const entities = "/admin/datasets/internal";
      const whole = JSON.parse(expectOk(await admin.call("GET", `${entities}/flights/current`)).text);
      const rows = [];
      for (const [index, { kind, access }] of cases.entries()) {
        const id = `flights-with-rules-${index}`;
        const { version: _version, ...body } = whole;
        await admin.call("DELETE", `${entities}/${id}`);
        expectOk(await admin.call("POST", entities, { ...body, id, access }), 201);
        for (const { question, path, body: more } of questions) {
          /** @param {string} dataset @param {number} turn */
          const ask = async (dataset, turn) =>
            expectOk(await caller.call("POST", `/datasets/Aviation/${dataset}${path}`, { ...more, timeRange: timeRange(turn) }));
          await ask(id, 0);
          const times = await compareInTurns(
            { rounds: many(3), turns: many(6, 2) },
            (turn) => ask(id, turn + 1),
            (turn) => ask("flights", turn + 1),
          );
          rows.push([kind, question, ...compared(times)]);
        }
        await admin.call("DELETE", `${entities}/${id}`);
      }
      caller.close();
      admin.close();
      return {
        text: "Over 3 million flights, by a reader who is no administrator, beside the same question to the dataset without rules. Rules leave fewer rows to count.",
        head: ["rules", "question", ...comparedHead("with rules", "without")],
        rows,
      };
    },
  },
];
