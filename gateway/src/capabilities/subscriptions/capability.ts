import { randomUUID } from "node:crypto";
import { apiBase } from "@fairway/contract/api";
import { byName } from "@fairway/contract/name-order";
import {
  type Subscription,
  type subscriptionDraft,
  subscriptionEnding,
  subscriptionLimits,
  subscriptions,
  type SubscriptionDelivery,
} from "@fairway/contract/subscriptions";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import { JobRunner } from "#background/jobs.ts";
import { ChartPictures } from "#charts/chart-pictures.ts";
import { isMailAddress } from "#config/mail-settings.ts";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { SignedUrls } from "#http/signed-urls.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { Notifier } from "#personal/notify.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { runEvery } from "#process/run-every.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { endingPage, type EndingState } from "./ending-page.ts";
import { type MailingParts, Mailings } from "./mailings.ts";
import { type DeliveryRow, subscribedOf, type SubscriptionRow, SubscriptionStore, timesOf, turnColumns } from "./store.ts";
import { subjectFinder, type SubjectParts } from "./subjects.ts";

interface Parts
  extends
    SubjectParts,
    Pick<
      MailingParts,
      | "searches"
      | "canRead"
      | "scopeKeysOf"
      | "mailSender"
      | "portalTitle"
      | "publicUrl"
      | "allowsRows"
      | "live"
      | "log"
      | "pollMs"
      | "gatherMs"
      | "retrySeconds"
    > {
  readonly db: Kysely<Database>;
  /** Closed together with the rest. Default: a worker of its own. */
  readonly charts?: Pick<ChartPictures, "png" | "close">;
  readonly masterKey: MasterKey;
  readonly notifier: MailingParts["notifier"] & Pick<Notifier, "notify">;
}

const pruneIntervalMs = 3_600_000;

/** Boards and saved searches by email, on chosen days. Decision 1150. */
export function openSubscriptions(parts: Parts): Capability {
  const { db, log } = parts;
  const store = new SubscriptionStore(db);
  const links = endingLinks(parts.masterKey);
  const findSubject = subjectFinder(parts);
  const { charts = drawnCharts(log) } = parts;
  const runner = new JobRunner(
    new Mailings({
      ...parts,
      store,
      charts,
      findOwner: (userId) => userWithoutSession(db, userId),
      addressOf: (userId) => addressOf(db, userId),
      findSubject,
      endingPath: (id) => `${apiBase}${subscriptionEnding.page.path}?token=${encodeURIComponent(links.sign({ id, endsAtMs: neverMs }))}`,
    }),
  );
  const prune = async () => {
    const removed = await store.removeOldDeliveries();
    if (removed > 0) log.info({ removed }, "removed old deliveries of subscriptions");
  };
  const pruning = runEvery(pruneIntervalMs, prune, (error) => log.warn({ err: error }, "could not remove old deliveries of subscriptions"));
  return {
    routes: {
      subscriptions: implement(
        subscriptions,
        handlers({ ...parts, findSubject }, store, () => void runner.wake()),
      ),
      subscriptionEnding: implement(subscriptionEnding, endingHandlers(parts, links)),
    },
    gauges: [{ name: "fairway_subscriptions_running", help: "Subscriptions that are being sent.", read: () => runner.running }],
    close: async () => {
      await pruning.close();
      await runner.close();
      await charts.close();
    },
  };
}

const drawnCharts = (log: Parts["log"]) =>
  new ChartPictures({ onFailure: (error) => log.warn({ err: error }, "a chart of an email could not be drawn") });

const neverMs = Date.parse("9999-12-31T00:00:00Z");
const endingClaims = z.object({ id: z.string(), endsAtMs: z.number() });

/** Links that end a subscription last as long as it does. */
const endingLinks = (masterKey: MasterKey) => new SignedUrls(masterKey, "ending of a subscription", endingClaims);

/** The usable address of an account. */
async function addressOf(db: Kysely<Database>, userId: string): Promise<string | null> {
  const account = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  const email = account?.email ?? null;
  return email !== null && isMailAddress(email) ? email : null;
}

type Draft = z.output<typeof subscriptionDraft>;

function handlers(
  parts: Parts & Pick<MailingParts, "findSubject">,
  store: SubscriptionStore,
  wake: () => void,
): Handlers<typeof subscriptions> {
  const { db, findSubject, mailSender, allowsRows, live } = parts;

  const ownRow = async (user: SignedInUser, id: string): Promise<SubscriptionRow> => {
    const row = await store.find(user.id, id);
    if (row === undefined) throw noSuchSubscription();
    return row;
  };
  const answer = async (user: SignedInUser, row: SubscriptionRow): Promise<Subscription> => {
    const found = await findSubject(user, subscribedOf(row));
    const subject = typeof found === "string" ? undefined : found;
    return {
      id: row.id,
      name: row.name,
      of: subscribedOf(row),
      ofName: subject?.name ?? null,
      link: subject?.link ?? null,
      at: timesOf(row),
      onlyIfChanged: row.only_if_changed,
      withRows: row.with_rows,
      state: row.is_paused ? "paused" : "active",
      reason: row.pause_reason,
      lastSentMs: row.last_sent_at?.getTime() ?? null,
      nextMs: row.due_at?.getTime() ?? null,
      isAsked: row.asked_at !== null,
      createdDateMs: row.created_at.getTime(),
    };
  };
  const changed = async (user: SignedInUser, id: string): Promise<Subscription> => {
    live.report({ topic: "alerts", audience: { users: [user.id] } });
    return answer(user, await ownRow(user, id));
  };
  /** The columns of a draft, whose content the user may read now. */
  const columnsOf = async (user: SignedInUser, { name, of, at, onlyIfChanged, withRows }: Draft) => {
    if (mailSender === undefined) throw new Refusal("invalid-value", "This portal sends no emails.");
    if ((await addressOf(db, user.id)) === null) throw new Refusal("invalid-value", "Your account has no email address.");
    if (withRows && !allowsRows) throw new Refusal("invalid-value", "This portal sends no rows by email.", { path: "withRows" });
    if (withRows && of.boardId !== undefined) {
      throw new Refusal("invalid-value", "Only the rows of a saved search can be attached.", { path: "withRows" });
    }
    const found = await findSubject(user, of);
    if (typeof found === "string") {
      const [noun, path] = of.boardId !== undefined ? ["board", "of.boardId"] : ["saved search", "of.savedSearchId"];
      throw new Refusal("not-found", `There is no such ${noun}.`, { path });
    }
    return {
      name,
      name_key: nameKey(name),
      board_id: of.boardId ?? null,
      saved_search_id: of.savedSearchId ?? null,
      ...at,
      only_if_changed: onlyIfChanged,
      with_rows: withRows,
    };
  };
  const owned = ownedByName(db, {
    table: "subscriptions",
    noun: "subscription",
    nouns: "subscriptions",
    nameField: "name",
    isOfDataset: false,
    maxPerUser: subscriptionLimits.perUser,
  });

  return {
    list: async ({ user }) => {
      const rows = (await store.listFor(user.id)).toSorted(byName);
      return {
        subscriptions: await Promise.all(rows.map((row) => answer(user, row))),
        emailAddress: mailSender === undefined ? null : await addressOf(db, user.id),
        sendsEmail: mailSender !== undefined,
        allowsRows,
      };
    },
    create: async ({ user, body }) => {
      const columns = await columnsOf(user, body);
      const id = randomUUID();
      await owned.insert(user.id, async (trx) => {
        const created = await trx
          .insertInto("subscriptions")
          .values({ id, user_id: user.id, ...columns, ...turnColumns(body.at, Date.now(), null) })
          .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
          .returning("id")
          .executeTakeFirst();
        if (!created) throw owned.nameTaken();
      });
      return changed(user, id);
    },
    edit: async ({ user, params, body }) => {
      await ownRow(user, params.id);
      const columns = await columnsOf(user, body);
      try {
        await db.transaction().execute(async (trx) => {
          const before = await trx
            .selectFrom("subscriptions")
            .selectAll()
            .select((where) =>
              where
                .exists(
                  where
                    .selectFrom("subscription_deliveries")
                    .select("id")
                    .where("subscription_id", "=", params.id)
                    .where("kind", "=", "sending"),
                )
                .as("is_sending"),
            )
            .where("id", "=", params.id)
            .where("user_id", "=", user.id)
            .forUpdate()
            .executeTakeFirst();
          if (before === undefined) throw noSuchSubscription();
          const isSame = before.board_id === columns.board_id && before.saved_search_id === columns.saved_search_id;
          await trx
            .updateTable("subscriptions")
            .set({
              ...columns,
              ...turnColumns(body.at, Date.now(), before.last_day),
              attempts: 0,
              is_paused: false,
              pause_reason: "",
              ...(isSame ? {} : { digests: null }),
              // A run under way belongs to the subscription as it was, unless its email is on its way.
              ...(before.is_sending ? {} : { claim: null, claimed_until: null }),
            })
            .where("id", "=", params.id)
            .execute();
        });
      } catch (error) {
        // The name is the only unique column that is set.
        throw isUniqueViolation(error) ? owned.nameTaken() : error;
      }
      return changed(user, params.id);
    },
    remove: async ({ user, params }) => {
      const { numDeletedRows } = await db
        .deleteFrom("subscriptions")
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw noSuchSubscription();
      live.report({ topic: "alerts", audience: { users: [user.id] } });
      return undefined;
    },
    send: async ({ user, params }) => {
      await ownRow(user, params.id);
      if (mailSender === undefined) throw new Refusal("conflict", "This portal sends no emails.");
      const { numUpdatedRows } = await db
        .updateTable("subscriptions")
        .set({ asked_at: sql<Date>`now()`, last_asked_at: sql<Date>`now()` })
        .where("id", "=", params.id)
        .where("user_id", "=", user.id)
        .where(sql<boolean>`coalesce(last_asked_at <= now() - make_interval(secs => ${subscriptionLimits.askSeconds}), true)`)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) throw tooSoon();
      wake();
      return changed(user, params.id);
    },
    deliveries: async ({ user, params, query: { before } }) => {
      const row = await ownRow(user, params.id);
      const rows = await store.deliveries(row.id, before);
      return {
        deliveries: rows.slice(0, subscriptionLimits.deliveriesPerPage).map(deliveryOf),
        hasMore: rows.length > subscriptionLimits.deliveriesPerPage,
      };
    },
  };
}

const deliveryOf = (row: DeliveryRow): SubscriptionDelivery => ({
  id: row.id,
  startedMs: row.started_at.getTime(),
  kind: row.kind,
  isAsked: row.is_asked,
  notReady: row.not_ready,
  reason: row.reason,
  durationMs: row.duration_ms,
});

/** Also for subscriptions of others. */
const noSuchSubscription = () => new Refusal("not-found", "You have no such subscription.");

const tooSoon = () =>
  new Refusal("too-many-requests", "It was sent a moment ago. Try again in a minute.", {
    retryAfterSeconds: subscriptionLimits.askSeconds,
  });

/** For holders of a message's link, signed in or not. */
function endingHandlers(
  { db, notifier, live, portalTitle }: Parts,
  links: ReturnType<typeof endingLinks>,
): Handlers<typeof subscriptionEnding> {
  const pageOf = async (state: EndingState) => endingPage(state, await portalTitle());
  return {
    page: async ({ query: { token } }) => {
      const claims = links.read(token);
      if (claims === undefined) return pageOf({ kind: "unknown" });
      const row = await db.selectFrom("subscriptions").select("name").where("id", "=", claims.id).executeTakeFirst();
      return pageOf(row === undefined ? { kind: "over" } : { kind: "open", name: row.name });
    },
    // The body says nothing that the address does not.
    end: async ({ query: { token } }) => {
      const claims = links.read(token);
      if (claims === undefined) return pageOf({ kind: "unknown" });
      const row = await db.deleteFrom("subscriptions").where("id", "=", claims.id).returning(["user_id", "name"]).executeTakeFirst();
      if (row !== undefined) {
        live.report({ topic: "alerts", audience: { users: [row.user_id] } });
        const text = "It was ended by the link of one of its emails.";
        await notifier.notify([row.user_id], { title: `${row.name} has ended`, text, link: "/alerts/emails", email: "never" });
      }
      return pageOf({ kind: "over" });
    },
  };
}
