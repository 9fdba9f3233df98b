import { pluralize } from "@fairway/contract/counts";
import { type OwnedKind, type OwnerlessEntry, ownership, type ShareCandidate } from "@fairway/contract/sharing";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { ShareBox } from "#parts/sharing/share-box.tsx";
import { recipientsText } from "#parts/sharing/sharing.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { confirm } from "#ui/dialog/confirm.ts";
import type { TableColumn } from "#ui/kit/data-table.tsx";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { ListScreen } from "#ui/kit/list-screen.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import { ownerlessQuery, reloadOwnerless } from "./ownerless-queries.ts";

const kindNames: Readonly<Record<OwnedKind, string>> = { board: "Board", savedSearch: "Saved search", ownDataset: "Own dataset" };

const columns: readonly TableColumn<OwnerlessEntry>[] = [
  { id: "name", header: "Name", isRowHeader: true, cell: ({ name }) => name },
  { id: "kind", header: "Kind", phoneLabel: "Kind", cell: ({ kind }) => kindNames[kind] },
  { id: "formerOwner", header: "Former owner", phoneLabel: "Former owner", cell: ({ formerOwner }) => formerOwner || "not known" },
  {
    id: "shares",
    header: "Shared with",
    phoneLabel: "Shared with",
    cell: ({ shares }) => (shares.length === 0 ? "nobody, deleted soon" : recipientsText(shares)),
  },
];

const nobodyTaken: ReadonlySet<string> = new Set();

/** Things that others have of accounts that were deleted: an administrator gives them away or deletes them. */
export function OwnerlessPage() {
  const query = useQuery(ownerlessQuery);
  const [giving, setGiving] = useState<OwnerlessEntry | null>(null);
  const given = useLastShown(giving);
  return (
    <>
      <ListScreen
        title="Without owner"
        subtitle={query.data && pluralize(query.data.entries.length, "thing")}
        query={query}
        loading={{ label: "Loading what has no owner", rows: 10 }}
        failed="Failed to load what has no owner"
        empty={{ text: "Everything has an owner. What an account shares stays here once the account is deleted." }}
        rowsOf={({ entries }) => entries}
        table={{
          columns,
          rowKey: ({ kind, id }) => `${kind} ${id}`,
          scroll: { role: "region", label: "Without owner", fills: true },
          rowActions: {
            header: "Actions",
            of: (entry) => [
              { label: `Give ${entry.name} to`, text: "Give to", opensDialog: true, run: () => setGiving(entry) },
              { label: `Delete ${entry.name}`, text: "Delete", opensDialog: true, run: () => void remove(entry) },
            ],
          },
          edges: "page",
          head: "panel",
          hasCardsOnPhone: true,
        }}
      >
        <UsersTabs />
      </ListScreen>
      {given && (
        <FormDialog
          opened={giving !== null}
          onClose={() => setGiving(null)}
          title={`Give ${given.name} to`}
          size={520}
          fillsPhone
          initial={{ to: null as ShareCandidate | null }}
          canSave={({ to }) => to !== null}
          saveLabel="Give"
          save={async ({ to }) => {
            await call(ownership.give, { params: { kind: given.kind, id: given.id }, body: { userId: to?.id ?? "" } });
            toastSuccess(`${given.name} belongs to ${to?.name ?? ""}`);
            setGiving(null);
            await reloadOwnerless();
          }}
        >
          {({ values, set }) => (
            <>
              <ShareBox
                label="New owner"
                placeholder="A person"
                onlyPeople
                taken={nobodyTaken}
                mayShareWithEveryone={false}
                onAdd={(to) => set({ to })}
                onRemoveLast={() => set({ to: null })}
              />
              <p role="status">{values.to === null ? "It stays shared as it is." : `${values.to.name} becomes its owner.`}</p>
            </>
          )}
        </FormDialog>
      )}
    </>
  );
}

async function remove({ kind, id, name }: OwnerlessEntry): Promise<void> {
  const confirmed = await confirm({
    title: `Delete ${name}?`,
    text: `This deletes the ${kindNames[kind].toLowerCase()} for everyone, immediately.`,
    confirmLabel: "Delete",
    destructive: true,
  });
  if (!confirmed) return;
  try {
    await call(ownership.remove, { params: { kind, id } });
    toastSuccess(`${name} deleted`, 1200);
    await reloadOwnerless();
  } catch (error) {
    toastError("Failed to Delete", messagesOf(error).join(" "));
  }
}
