import type { Entity } from "@fairway/contract/entities";
import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Refusal } from "#http/refusal.ts";

export type Trx = Transaction<Database>;

/** The current state of an entity. */
export interface EntityState {
  readonly id: string;
  /** The key that users know it by: a username, a name, or else the id. Unique within the type. */
  readonly key: string;
  /** As returned by the API and recorded in revisions, with secrets masked. */
  readonly entity: Entity;
  /** As stored, if that contains more; private to the repository. */
  readonly stored?: object;
}

/** One write, with the state before it. A save of a new entity has none. */
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

/** Ids of the entities that exist after the changes. */
export const remainingIds = (changes: readonly Change[]): string[] => changes.flatMap(({ kind, id }) => (kind === "remove" ? [] : [id]));

/** A draft that is valid for its type. */
export interface ValidDraft {
  readonly id: string;
  /** See `EntityState`. */
  readonly key: string;
  readonly draft: object;
}

/** All entities of a type before an import, so that lookups need no statement per entity. */
export interface Snapshot {
  readonly byId: ReadonlyMap<string, EntityState>;
  readonly byKey: ReadonlyMap<string, EntityState>;
}

/** Results that were computed before the change lock was taken. */
export interface Prepared {
  /** Takes the hash of a password that a draft sets; each is returned once per draft. Undefined if there is none. */
  takeHash(password: string): string | undefined;
}

/** Stores the entities of one type. All methods run within the transaction of one change; changes are serialized. */
export interface EntityRepository {
  /** The type's path segment. */
  readonly type: string;
  readonly noun: string;
  readonly idField: string;
  readonly canDisable: boolean;
  /** Whether at most one entity can be enabled. */
  readonly isExclusive: boolean;
  /** Set if entities never refer to others of the same type, so that removals in one batch cannot affect each other. */
  readonly removesTogether?: true;
  /** The JSON schema of a draft. */
  jsonSchema(): Record<string, unknown>;
  /** All entities, or those with these ids, sorted by id. */
  states(trx: Trx, ids?: readonly string[]): Promise<EntityState[]>;
  /** The id of the entity that a draft refers to; undefined if there is none. */
  idOf(draft: Readonly<Record<string, unknown>>, trx: Trx, snapshot?: Snapshot): Promise<string | undefined>;
  /** Validates a draft and its references. Refuses with the path of the invalid field. */
  validate(draft: Readonly<Record<string, unknown>>, before: EntityState | undefined, trx: Trx, snapshot?: Snapshot): Promise<ValidDraft>;
  /** Does slow work before the change lock is taken. `isKept` is false for previews. */
  prepare?(drafts: readonly unknown[], isKept: boolean): Promise<Prepared>;
  /** The saves of one import that exceed a limit of the type. Default: none. */
  overLimit?(saves: readonly Save[]): { readonly save: Save; readonly refusal: Refusal }[];
  /** Consequences of the save of a changed entity beyond its fields, in words that follow its name. Default: nothing. */
  notes?(before: Entity, after: Readonly<Record<string, unknown>>): readonly string[];
  /** Applies changes and returns the saved entities, in order. */
  apply(changes: readonly Change[], trx: Trx, by: SignedInUser | undefined, prepared: Prepared | undefined): Promise<EntityState[]>;
  /** After `apply`: readable names of what still refers to removed entities, by their keys. */
  referrers(removed: readonly EntityState[], trx: Trx): Promise<ReadonlyMap<string, readonly string[]>>;
  /** After `apply`: refuses an invalid overall state, such as a portal without administrators. */
  requireConsistent(trx: Trx): Promise<void>;
  /** After the commit: notifies all gateways. */
  changed(changes: readonly Change[]): Promise<void>;
}
