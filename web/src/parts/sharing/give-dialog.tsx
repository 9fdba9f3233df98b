import type { Share, ShareCandidate } from "@fairway/contract/sharing";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { ShareBox } from "./share-box.tsx";
import classes from "./sharing.module.css";

export interface GiveDialogProps {
  opened: boolean;
  /** Of what is given away. */
  name: string;
  shares: readonly Share[];
  /** Further consequences, before and after those that are the same for everything. */
  before?: (recipient: string) => string;
  after?: string;
  zIndex?: number;
  /** Gives it to the account; rejects if that is refused. */
  onGive: (userId: string) => Promise<void>;
  onClose: () => void;
}

const nobodyTaken: ReadonlySet<string> = new Set();
const nobody: { to: ShareCandidate | null } = { to: null };

/** Gives a thing to somebody who can edit it, and says before what that means. */
export function GiveDialog({ opened, name, shares, before, after, zIndex = 200, onGive, onClose }: GiveDialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Give away ${name}`}
      size={520}
      zIndex={zIndex}
      fillsPhone
      initial={nobody}
      canSave={({ to }) => to !== null && mayGetIt(shares, to)}
      saveLabel="Give away"
      save={async ({ to }) => {
        await onGive(to?.id ?? "");
        toastSuccess(`${name} belongs to ${to?.name ?? ""} now`);
        onClose();
      }}
    >
      {({ values: { to }, set }) => (
        <>
          <ShareBox
            label="New owner"
            placeholder="A person who may edit it"
            takesFocus
            onlyPeople
            taken={nobodyTaken}
            mayShareWithEveryone={false}
            onAdd={(found) => set({ to: found })}
            onRemoveLast={() => set({ to: null })}
          />
          <div role="status">{to !== null && <Consequences to={to} shares={shares} before={before?.(to.name)} after={after} />}</div>
        </>
      )}
    </FormDialog>
  );
}

/** Whether a person may edit the thing, as far as the shares tell: groups and roles with edit may include the person. */
const mayGetIt = (shares: readonly Share[], { id }: ShareCandidate): boolean =>
  shares.some(({ to, can }) => can === "edit" && (to.kind !== "user" || to.id === id));

interface ConsequencesProps {
  to: ShareCandidate;
  shares: readonly Share[];
  before: string | undefined;
  after: string | undefined;
}

function Consequences({ to, shares, before, after }: ConsequencesProps) {
  if (!mayGetIt(shares, to))
    return <p className={classes["sentence"]}>{`${to.name} may not edit it. Share it with ${to.name} first, with the right to edit.`}</p>;
  const others = shares.filter(({ to: { kind, id } }) => kind !== "user" || id !== to.id).map((one) => one.to.name);
  const keeping =
    others.length === 0 ? "Nobody else has access." : `${others.join(", ")} ${others.length === 1 ? "keeps" : "keep"} access.`;
  const lines = [before, `Only ${to.name} shares it, deletes it and gives it away from then on. You may still edit it.`, keeping, after];
  return (
    <>
      <p>{`${to.name} becomes the owner of it.`}</p>
      <ul className={classes["consequences"]}>
        {lines
          .filter((line) => line !== undefined)
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ul>
    </>
  );
}
