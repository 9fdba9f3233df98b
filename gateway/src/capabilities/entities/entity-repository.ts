import type { Entity } from "@fairway/contract/entities";
import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import type { Refusal } from "#http/refusal.ts";

export type Trx = Transaction<Database>;

/** One thing as it stands now. */
export interface EntityState {
  readonly id: string;
  /** What people call it: a username, a name, else the id. No two of a type share one. */
  readonly key: string;
  /** As it is answered and noted in revisions: no secret is in it. */
  readonly entity: Entity;
  /** As it is stored, where that holds more; for the repository alone. */
  readonly kept?: object;
}

/** One write. A save and a removal name what was there before; a save of something new has no such state. */
export type Change =
  | {
      readonly kind: "save";
      readonly id: string;
      readonly key: string;
      readonly draft: object;
      readonly enabled: boolean;
      readonly before: EntityState | undefined;
    }
  | { readonly kind: "enable"; readonly id: string; readonly enabled: boolean; readonly before: EntityState }
  | { readonly kind: "remove"; readonly id: string; readonly before: EntityState };

export type Save = Change & { readonly kind: "save" };

export const removedIds = (changes: readonly Change[]): string[] => changes.flatMap(({ kind, id }) => (kind === "remove" ? [id] : []));

/** Of what is still there after the changes. */
export const remainingIds = (changes: readonly Change[]): string[] => changes.flatMap(({ kind, id }) => (kind === "remove" ? [] : [id]));

/** A draft that fits its type. */
export interface ValidDraft {
  readonly id: string;
  /** As in its state. */
  readonly key: string;
  readonly draft: object;
}

/** Everything of a type as it is before an import. Whoever looks something up there needs no statement for each entity. */
export interface Known {
  readonly byId: ReadonlyMap<string, EntityState>;
  readonly byKey: ReadonlyMap<string, EntityState>;
}

/** What was worked out before the turn was taken. */
export interface Prepared {
  /** The hash of a password that a draft sets, one for each draft; undefined where there is none. */
  takeHash(password: string): string | undefined;
}

/** How one type is kept. Everything runs within the transaction of one change, and changes take turns. */
export interface EntityRepository {
  /** As it stands in the paths. */
  readonly type: string;
  readonly noun: string;
  readonly idField: string;
  readonly canDisable: boolean;
  /** At most one is enabled. */
  readonly isExclusive: boolean;
  /** None refers to another one of its type: of many that are to be removed, each is refused or not whatever the others are. */
  readonly removesTogether?: true;
  /** The JSON schema of a draft. */
  jsonSchema(): Record<string, unknown>;
  /** In the order of their ids; all, or those of these ids. */
  states(trx: Trx, ids?: readonly string[]): Promise<EntityState[]>;
  /** The id that a draft names; undefined where it names none. */
  idOf(draft: Readonly<Record<string, unknown>>, trx: Trx, known?: Known): Promise<string | undefined>;
  /** Checks a draft by itself and against what it names. Refuses naming the field. */
  validate(draft: Readonly<Record<string, unknown>>, before: EntityState | undefined, trx: Trx, known?: Known): Promise<ValidDraft>;
  /** Does what takes long before the turn is taken, and only where the drafts are to be kept. Default: nothing takes long. */
  prepare?(drafts: readonly unknown[], isKept: boolean): Promise<Prepared>;
  /** Of the saves of one import, in their order, those that are more than it may hold. Default: none. */
  tooManyOf?(saves: readonly Save[]): { readonly save: Save; readonly refusal: Refusal }[];
  /** Answers the saved ones, in the order of their changes. */
  apply(changes: readonly Change[], trx: Trx, by: SignedInUser | undefined, prepared: Prepared | undefined): Promise<EntityState[]>;
  /** After `apply`: what still refers to the removed ones, in words, by their ids. */
  referrers(removed: readonly EntityState[], trx: Trx): Promise<ReadonlyMap<string, readonly string[]>>;
  /** After `apply`: refuses a whole that must not be, such as a portal without an administrator. */
  requireWhole(trx: Trx): Promise<void>;
  /** After the commit: tells every gateway. */
  changed(changes: readonly Change[]): Promise<void>;
}
