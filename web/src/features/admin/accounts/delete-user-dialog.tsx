import { userRemoval } from "@fairway/contract/accounts";
import { formatCount, formatList, pluralize } from "@fairway/contract/counts";
import { type OwnedThings, ownership, type ShareCandidate } from "@fairway/contract/sharing";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { ShareBox } from "#parts/sharing/share-box.tsx";
import { recipientKey } from "#parts/sharing/share-draft.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { refetchEntities } from "../entities/entity-calls.ts";
import type { EntityDialogProps, RowDialog } from "../entities/entity-dialog.ts";
import { displayNameOf } from "../entities/entity-kind.ts";
import classes from "./accounts.module.css";

/** More names are counted. */
const maxNamed = 10;

/** Deletes a user, and gives what the account owns to somebody else before, if asked to. */
export default function DeleteUserDialog({ kind, dialog: { id, entity }, opened, onClose }: EntityDialogProps<RowDialog>) {
  const name = displayNameOf(kind, entity);
  const owned = useQuery({
    queryKey: ["admin", kind.type, "owned", id],
    queryFn: ({ signal }) => call(ownership.owned, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${name}?`}
      size={520}
      fillsPhone
      initial={{ to: null as ShareCandidate | null }}
      saveLabel="Delete"
      save={async ({ to }) => {
        await call(userRemoval, { params: { id }, query: to?.id === undefined ? {} : { transferTo: to.id } });
        toastSuccess(`${name} deleted`, 1200);
        onClose();
        await refetchEntities(kind);
      }}
    >
      {({ values: { to }, set }) => (
        <>
          <p>This deletes the user for everyone, immediately.</p>
          {owned.data === undefined ? (
            <WithoutData
              query={owned}
              loading={{ label: "Loading what the account owns", rows: 2 }}
              failed="Failed to load what the account owns"
            />
          ) : (
            <>
              <Owned owned={owned.data} />
              {totalOf(owned.data) > 0 && (
                <ShareBox
                  label="Give to"
                  placeholder="A person, or nobody"
                  onlyPeople
                  taken={new Set([recipientKey({ kind: "user", id, name })])}
                  mayShareWithEveryone={false}
                  onAdd={(found) => set({ to: found })}
                  onRemoveLast={() => set({ to: null })}
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
      )}
    </FormDialog>
  );
}

/** Counts of the things that the account owns, and the names of what it shares. */
function Owned({ owned }: { owned: OwnedThings }) {
  const { shared } = owned;
  if (totalOf(owned) === 0) return <p>The account owns no boards, saved searches or datasets.</p>;
  const more = shared.length - maxNamed;
  return (
    <>
      <p>{`It owns ${countsText(owned)}. ${shared.length === 0 ? "It shares none of them." : "It shares:"}`}</p>
      {shared.length > 0 && (
        <ul aria-label="Shared by the account" className={classes["sharedThings"]}>
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
