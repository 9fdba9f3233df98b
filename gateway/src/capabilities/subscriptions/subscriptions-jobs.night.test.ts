import type { Board } from "@fairway/contract/boards";
import pino from "pino";
import { JobRunner } from "#background/jobs.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { Aggregation, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { buildFilterSupport } from "#testing/dataset-app.ts";
import { describeJobs } from "#testing/jobs-suite.ts";
import { noEngine } from "#testing/no-engine.ts";
import { ReportedChanges } from "#testing/reported-changes.ts";
import { count } from "#testing/subscriptions-app.ts";
import { Mailings } from "./mailings.ts";
import { leaseSeconds, SubscriptionStore } from "./store.ts";

const board = {
  id: "board",
  name: "Board",
  content: { refreshMinutes: null, panels: [{ ...count, id: "p", place: { x: 0, y: 0, w: 1, h: 1 } }] },
} as unknown as Board;
const query: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1 };
const queryable = { features: new Set(["COUNT"]) } as unknown as QueryableDataset;

const traits = { leaseSeconds, afterCrash: "repeated", onClose: "released", onCancel: "ignored" } as const;
describeJobs("subscriptions", traits, (shared) => ({
  open: ({ db }, works) => {
    const aggregate = async (...parameters: Parameters<typeof noEngine.aggregate>) => {
      await works.hold(parameters[4].signal);
      return [[3]];
    };
    const refuse = () => Promise.reject(new Error("the board has no graphs"));
    return new JobRunner(
      new Mailings({
        store: new SubscriptionStore(db),
        searches: {
          prepare: (_user, _path, _data, work) =>
            work({
              queryable,
              query,
              columns: [],
              filterSupport: buildFilterSupport({}),
              parameters: null,
              map: null,
              isPart: false,
              hasNoRows: false,
              keepOpen: () => undefined,
              engine: { ...noEngine, aggregate },
              aggregationOf: () => ({ type: "count", column: "*" }) satisfies Aggregation,
            }),
          answerBreakdown: refuse,
          groupValues: refuse,
        },
        charts: { png: () => Promise.resolve(null) },
        canRead: () => Promise.resolve(true),
        scopeKeysOf: () => Promise.resolve([]),
        findOwner: (userId) => userWithoutSession(db, userId),
        addressOf: () => Promise.resolve("ada@example.org"),
        findSubject: () => Promise.resolve({ subject: { board }, name: board.name, link: null, version: "1" }),
        mailSender: { send: () => Promise.resolve() },
        portalTitle: () => Promise.resolve("Harbor Office"),
        publicUrl: undefined,
        endingPath: (id) => `/end/${id}`,
        allowsRows: false,
        notifier: { notifyWithin: () => Promise.resolve(() => undefined) },
        live: new ReportedChanges(),
        log: pino({ level: "silent" }),
        pollMs: 3_600_000,
      }),
    );
  },
  add: async () => {
    await shared.pool.query("insert into users (id, username, username_key) values ('ada', 'ada', 'ada') on conflict do nothing");
    await shared.pool.query(
      `insert into subscriptions
        (id, user_id, name, name_key, board_id, hour, minute, weekdays, zone, only_if_changed, with_rows, run_day, due_at)
        values ('one', 'ada', 'Board', 'board', 'board', extract(hour from now() at time zone 'UTC'),
          extract(minute from now() at time zone 'UTC'), '{1,2,3,4,5,6,7}', 'UTC', false, false,
          to_char(now() at time zone 'UTC', 'YYYY-MM-DD'), now())`,
    );
  },
  age: (seconds) =>
    shared.pool.query(
      "update subscriptions set claimed_until = claimed_until - make_interval(secs => $1), due_at = due_at - make_interval(secs => $1)",
      [seconds],
    ),
  outcome: async () => {
    const { rows } = await shared.pool.query<{ kind: string }>("select kind from subscription_deliveries order by id desc limit 1");
    return rows[0]?.kind === "sent" ? "done" : rows[0]?.kind === "failed" ? "failed" : "open";
  },
  rows: async () =>
    (await shared.pool.query("select * from subscriptions left join subscription_deliveries on subscription_id = subscriptions.id")).rows,
  cancel: () => shared.pool.query("update subscriptions set claim = null, claimed_until = null, due_at = null"),
  clear: () => shared.pool.query("delete from subscriptions"),
}));
