import { pluralize } from "@fairway/contract/counts";
import { type OwnedKind, ownership, sharing } from "@fairway/contract/sharing";
import type { Transaction } from "kysely";
import type { BaseLogger } from "pino";
import type { Database } from "#database/schema.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import type { Notifier } from "#personal/notify.ts";
import { runEvery } from "#process/run-every.ts";
import { findCandidates, type SharingParts } from "#sharing/candidates.ts";
import { removeLeftThings } from "#sharing/deleted-accounts.ts";
import type { OwnedThings } from "#sharing/owned-things.ts";

interface Parts extends SharingParts {
  /** One for each kind, in the order of lists. */
  readonly things: readonly OwnedThings[];
  readonly notifier: Pick<Notifier, "notify">;
  readonly log: Pick<BaseLogger, "warn">;
}

/** The things that an account has got of one that is deleted. */
export interface GivenThings {
  /** For the audit log. */
  readonly note: string;
  /** Tells the account. Call it once the transaction is committed. */
  readonly tell: () => Promise<void>;
}

export interface OpenSharing extends Capability {
  /** Gives all that an account owns to another one, within the transaction that deletes it. Refuses an account that is not enabled. */
  readonly giveAll: (
    trx: Transaction<Database>,
    from: { readonly id: string; readonly username: string },
    to: string,
  ) => Promise<GivenThings>;
  /** Removes what has no owner and nobody else has. Runs regularly by itself. */
  readonly removeLeft: () => Promise<void>;
}

const cleaningIntervalMs = 600_000;

const nouns: Readonly<Record<OwnedKind, readonly [string, string]>> = {
  board: ["board", "boards"],
  savedSearch: ["saved search", "saved searches"],
  ownDataset: ["dataset", "datasets"],
};

/** Whom people can share with, and what becomes of the things of deleted accounts. */
export function openSharing({ things, notifier, log, ...parts }: Parts): OpenSharing {
  const { db } = parts;
  const requireKind = (kind: string): OwnedThings => {
    const found = things.find((one) => one.kind === kind);
    if (found === undefined) throw new Refusal("not-found", "There is no such thing without owner.");
    return found;
  };
  const candidates: Handlers<typeof sharing> = {
    candidates: ({ user, query }) => findCandidates(parts, user, query.text),
  };
  const handlers: Handlers<typeof ownership> = {
    ownerless: async () => ({ entries: (await Promise.all(things.map((one) => one.ownerless()))).flat() }),
    give: async (call) => {
      const found = requireKind(call.params.kind);
      const { name, owner } = await found.give(call.user, call.params.id, call.body.userId);
      call.noteForAudit(`${nouns[found.kind][0]} ${name} to ${owner}`);
      return undefined;
    },
    remove: async (call) => {
      const found = requireKind(call.params.kind);
      call.noteForAudit(`${nouns[found.kind][0]} ${await found.remove(call.params.id)}`);
      return undefined;
    },
    owned: async ({ params }) => {
      const known = await db.selectFrom("users").select("id").where("id", "=", params.id).executeTakeFirst();
      if (known === undefined) throw new Refusal("not-found", "There is no such user.");
      const owned = await Promise.all(things.map(async (one) => Object.assign(await one.owned(params.id), { kind: one.kind })));
      const countOf = (kind: OwnedKind) => owned.find((one) => one.kind === kind)?.count ?? 0;
      return {
        counts: { board: countOf("board"), savedSearch: countOf("savedSearch"), ownDataset: countOf("ownDataset") },
        shared: owned.flatMap(({ kind, shared }) => shared.map((one) => ({ kind, ...one }))),
      };
    },
  };
  const removeLeft = () => removeLeftThings(db);
  const cleaning = runEvery(cleaningIntervalMs, removeLeft, (error) =>
    log.warn({ err: error }, "shares with deleted accounts could not be removed"),
  );
  return {
    routes: { sharing: implement(sharing, candidates), ownership: implement(ownership, handlers) },
    giveAll: async (trx, from, to) => {
      const account: SignedInUser | undefined = to === from.id ? undefined : await userWithoutSession(trx, to);
      if (account === undefined) throw new Refusal("invalid-value", "There is no such person.", { path: "transferTo" });
      const counts: string[] = [];
      const reports: (() => Promise<void>)[] = [];
      for (const one of things) {
        const { count, report } = await one.giveAll(trx, from.id, account);
        reports.push(report);
        if (count > 0) counts.push(pluralize(count, ...nouns[one.kind]));
      }
      const list = counts.join(", ");
      return {
        note: list === "" ? `nothing to ${account.username}` : `${list} to ${account.username}`,
        tell: async () => {
          if (counts.length === 0) return;
          for (const report of reports) await report();
          await notifier.notify([account.id], { title: `What '${from.username}' had is yours now`, text: `You have got ${list}.` });
        },
      };
    },
    removeLeft,
    close: () => cleaning.close(),
  };
}
