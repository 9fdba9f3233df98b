import { formatCount, formatList, pluralize } from "@fairway/contract/counts";
import type { OwnedThings, ShareCandidate } from "@fairway/contract/sharing";
import { Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { ShareBox } from "#parts/sharing/share-box.tsx";
import { recipientKey } from "#parts/sharing/share-draft.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import classes from "./accounts.module.css";

/** An account that is about to be deleted. */
export interface Account {
  readonly id: string;
  readonly name: string;
}

interface Props {
  accounts: readonly Account[];
  owned: UseQueryResult<OwnedThings>;
  /** Whom everything is given to; null for nobody. */
  to: ShareCandidate | null;
  onChange: (to: ShareCandidate | null) => void;
}

/** More names are counted. */
const maxNamed = 10;

/** Says what becomes of the things of accounts that are deleted, and offers to give them to somebody else. */
export function OwnedByDeleted({ accounts, owned, to, onChange }: Props) {
  const one = accounts.length === 1 ? "account owns" : "accounts own";
  return (
    <>
      {owned.data === undefined ? (
        <WithoutData query={owned} loading={{ label: `Loading what the ${one}`, rows: 2 }} failed={`Failed to load what the ${one}`} />
      ) : (
        <>
          <Owned owned={owned.data} isOne={accounts.length === 1} />
          {totalOf(owned.data) > 0 && (
            <ShareBox
              label="Give to"
              placeholder="A person, or nobody"
              onlyPeople
              taken={new Set(accounts.map(({ id, name }) => recipientKey({ kind: "user", id, name })))}
              mayShareWithEveryone={false}
              onAdd={onChange}
              onRemoveLast={() => onChange(null)}
            />
          )}
        </>
      )}
      <Text size="sm" role="status" c="var(--text-2)">
        {owned.data === undefined || totalOf(owned.data) === 0
          ? ""
          : to === null
            ? "What others have stays without owner, as it is shared. The rest is deleted."
            : `${to.name} gets all of it: ${countsText(owned.data)}.`}
      </Text>
    </>
  );
}

/** Counts of the things that accounts own, and the names of what they share. */
function Owned({ owned, isOne }: { owned: OwnedThings; isOne: boolean }) {
  const { shared } = owned;
  if (totalOf(owned) === 0) return <p>{`The ${isOne ? "account owns" : "accounts own"} no boards, saved searches or datasets.`}</p>;
  const more = shared.length - maxNamed;
  const [own, share] = isOne ? ["It owns", "It shares"] : ["They own", "They share"];
  return (
    <>
      <p>{`${own} ${countsText(owned)}. ${shared.length === 0 ? `${share} none of them.` : `${share}:`}`}</p>
      {shared.length > 0 && (
        <ul aria-label={`Shared by the ${isOne ? "account" : "accounts"}`} className={classes["sharedThings"]}>
          {shared.slice(0, maxNamed).map(({ kind, id, name }) => (
            <li key={`${kind} ${id}`}>{name}</li>
          ))}
          {more > 0 && <li>{`${formatCount(more)} more`}</li>}
        </ul>
      )}
    </>
  );
}

const totalOf = ({ counts: { board, savedSearch, ownDataset } }: OwnedThings): number => board + savedSearch + ownDataset;

const countsText = ({ counts: { board, savedSearch, ownDataset } }: OwnedThings): string =>
  formatList([
    ...(board > 0 ? [pluralize(board, "board")] : []),
    ...(savedSearch > 0 ? [pluralize(savedSearch, "saved search", "saved searches")] : []),
    ...(ownDataset > 0 ? [pluralize(ownDataset, "own dataset")] : []),
  ]);
