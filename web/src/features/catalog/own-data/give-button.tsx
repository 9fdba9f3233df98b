import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import type { ShareCandidate } from "@fairway/contract/sharing";
import { Button } from "@mantine/core";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { ShareBox } from "#parts/sharing/share-box.tsx";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import classes from "./own-data.module.css";

const nobodyTaken: ReadonlySet<string> = new Set();
const nobody: { to: ShareCandidate | null } = { to: null };

/** Gives an own dataset to somebody who can edit it. */
export function GiveButton({ own }: { own: OwnDataset }) {
  const { id, title, datasetId } = own;
  const [isOpen, setOpen] = useState(false);
  const name = title || datasetId;
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Give away
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={`Give away ${name}`}
        size={520}
        fillsPhone
        initial={nobody}
        canSave={({ to }) => to !== null && mayGetIt(own, to)}
        saveLabel="Give away"
        save={async ({ to }) => {
          await call(ownDatasets.transfer, { params: { id }, body: { userId: to?.id ?? "" } });
          toastSuccess(`${name} belongs to ${to?.name ?? ""} now`);
          close();
          await refreshDatasets();
        }}
      >
        {({ values: { to }, set }) => (
          <>
            <ShareBox
              label="New owner"
              placeholder="A person who may edit it"
              onlyPeople
              taken={nobodyTaken}
              mayShareWithEveryone={false}
              onAdd={(found) => set({ to: found })}
              onRemoveLast={() => set({ to: null })}
            />
            <div role="status">{to !== null && <Consequences own={own} to={to} />}</div>
          </>
        )}
      </FormDialog>
    </>
  );
}

/** Whether a person may edit the dataset, as far as the shares tell: groups and roles with edit may include the person. */
const mayGetIt = ({ shares }: OwnDataset, { id }: ShareCandidate): boolean =>
  shares.some(({ to, can }) => can === "edit" && (to.kind !== "user" || to.id === id));

function Consequences({ own, to }: { own: OwnDataset; to: ShareCandidate }) {
  if (!mayGetIt(own, to))
    return <p className={classes["note"]}>{`${to.name} may not edit it. Share it with ${to.name} first, with the right to edit.`}</p>;
  const others = own.shares.filter(({ to: { kind, id } }) => kind !== "user" || id !== to.id).map((one) => one.to.name);
  return (
    <>
      <p>{`${to.name} becomes the owner of it.`}</p>
      <ul className={classes["consequences"]}>
        <li>{`Its ${sizeText(own.bytes)} take room of ${to.name}, and none of yours.`}</li>
        <li>{`Only ${to.name} shares it, deletes it and gives it away from then on. You may still edit it.`}</li>
        <li>
          {others.length === 0 ? "Nobody else has access." : `${others.join(", ")} ${others.length === 1 ? "keeps" : "keep"} access.`}
        </li>
        <li>Its address stays the same, so that searches, boards and links of it go on.</li>
      </ul>
    </>
  );
}
