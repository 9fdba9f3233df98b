import type { OwnerState, OwnOrShared, Share } from "@fairway/contract/sharing";
import { type RawBuilder, sql } from "kysely";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reaches, type StoredShare } from "./access.ts";

/** The name is null of an account or group that is gone. */
export type NamedShare = StoredShare & { readonly name: string | null };

/** The shares that a query finds with `kind`, `target` and `can`, and the names of those with whom they are. */
export const namedShares = (shares: RawBuilder<unknown>): RawBuilder<NamedShare[]> => sql<NamedShare[]>`coalesce((
  select json_agg(json_build_object('kind', share.kind, 'target', share.target, 'can', share.can, 'name',
    case share.kind when 'user' then sharer.username when 'group' then "group".name when 'role' then share.target else 'Everyone' end)
    order by share.kind, share.target)
  from (${shares}) share
  left join users sharer on share.kind = 'user' and sharer.id = share.target
  left join groups "group" on share.kind = 'group' and "group".id = share.target), '[]')`;

/** All for the owner, otherwise those that reach the reader. */
export const shownShares = (shares: readonly NamedShare[], can: OwnOrShared, reader: SignedInUser): Share[] =>
  sharesOf(shares.filter((one) => can === "own" || reaches(one, reader)));

/** Without those to accounts and groups that are gone. */
export const sharesOf = (shares: readonly NamedShare[]): Share[] =>
  shares.flatMap(({ kind, target, can, name }) =>
    name === null ? [] : [{ to: kind === "user" || kind === "group" ? { kind, id: target, name } : { kind, name }, can }],
  );

export const ownerStateOf = ({ ownerId, isLocked }: { readonly ownerId: string | null; readonly isLocked: boolean | null }): OwnerState =>
  ownerId === null ? "gone" : isLocked === true ? "disabled" : "active";
