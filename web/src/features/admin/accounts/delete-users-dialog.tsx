import { userRemoval } from "@fairway/contract/accounts";
import { formatCount, pluralize } from "@fairway/contract/counts";
import { type OwnedThings, ownership, type ShareCandidate } from "@fairway/contract/sharing";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { mapConcurrent } from "#lib/pacing/map-concurrent.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { changeEntities, refetchEntities } from "../entities/entity-calls.ts";
import type { DeleteUsers, EntityDialogProps } from "../entities/entity-dialog.ts";
import { type RefusedEntity, toastRefused } from "../entities/refused-toast.ts";
import { type Account, OwnedByDeleted } from "./owned-things.tsx";

/** Of more accounts, it is only said in general what becomes of their things. */
const maxAsked = 50;

/** Deletes several users, and gives what the accounts own to somebody else before, if asked to. */
export default function DeleteUsersDialog({ kind, dialog: { accounts }, opened, onClose }: EntityDialogProps<DeleteUsers>) {
  const isAsked = accounts.length <= maxAsked;
  const ids = accounts.map(({ id }) => id);
  const owned = useQuery({
    queryKey: ["admin", kind.type, "owned", ids],
    queryFn: ({ signal }) => ownedByAll(ids, signal),
    enabled: isAsked,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Delete ${pluralize(accounts.length, kind.noun, kind.plural)}?`}
      size={520}
      fillsPhone
      initial={{ to: null as ShareCandidate | null }}
      saveLabel="Delete"
      isDestructive
      save={async ({ to }) => {
        const { changed, refused } =
          to?.id === undefined ? await changeEntities(kind, ids, "delete") : await removeAndGive(accounts, to.id);
        if (changed.length > 0) toastSuccess(`${formatCount(changed.length)} deleted`, 1200);
        toastRefused("Failed to Delete", refused);
        onClose();
        await refetchEntities(kind);
      }}
    >
      {({ values: { to }, set }) => (
        <>
          <p>This deletes the users for everyone, immediately. Those still in use are kept.</p>
          {isAsked ? (
            <OwnedByDeleted accounts={accounts} owned={owned} to={to} onChange={(found) => set({ to: found })} />
          ) : (
            <p>What others have of their boards, saved searches and datasets stays without owner, as it is shared. The rest is deleted.</p>
          )}
        </>
      )}
    </FormDialog>
  );
}

async function ownedByAll(ids: readonly string[], signal: AbortSignal): Promise<OwnedThings> {
  const found: OwnedThings[] = [];
  await mapConcurrent(ids, 4, async (id) => void found.push(await call(ownership.owned, { params: { id } }, { signal })));
  const sum = (kind: keyof OwnedThings["counts"]) => found.reduce((total, { counts }) => total + counts[kind], 0);
  return {
    counts: { board: sum("board"), savedSearch: sum("savedSearch"), ownDataset: sum("ownDataset") },
    shared: found.flatMap(({ shared }) => shared),
  };
}

/** One after the other, as long as there is room for what they own. */
async function removeAndGive(accounts: readonly Account[], transferTo: string) {
  const [changed, refused]: [string[], RefusedEntity[]] = [[], []];
  for (const { id, name } of accounts) {
    try {
      await call(userRemoval, { params: { id }, query: { transferTo } });
      changed.push(id);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      refused.push({ id: name, errors: messagesOf(error).map((message) => ({ message })) });
    }
  }
  return { changed, refused };
}
