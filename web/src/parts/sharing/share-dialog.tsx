import type { Share, ShareCan, ShareDraft } from "@fairway/contract/sharing";
import { NativeSelect } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { ShareBox } from "./share-box.tsx";
import { draftOf, kindNames, recipientKey } from "./share-draft.ts";
import classes from "./sharing.module.css";

export interface ShareDialogProps {
  opened: boolean;
  /** Of what is shared. */
  name: string;
  shares: readonly Share[];
  mayShareWithEveryone: boolean;
  zIndex?: number;
  /** Replaces the shares; rejects if that is refused. */
  onSave: (shares: ShareDraft[]) => Promise<void>;
  onClose: () => void;
}

/** With whom a thing is shared, and whether they may edit it. */
export function ShareDialog({ opened, name, shares, mayShareWithEveryone, zIndex = 200, onSave, onClose }: ShareDialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Share ${name}`}
      size={520}
      zIndex={zIndex}
      fillsPhone
      initial={{ shares }}
      save={async (values) => {
        await onSave(values.shares.map(draftOf));
        onClose();
      }}
    >
      {({ values, set }) => (
        <>
          <ShareBox
            taken={new Set(values.shares.map(({ to }) => recipientKey(to)))}
            mayShareWithEveryone={mayShareWithEveryone}
            onAdd={(to) => set({ shares: [...values.shares, { to, can: "view" }] })}
            onRemoveLast={() => set({ shares: values.shares.slice(0, -1) })}
          />
          <ShareList shares={values.shares} onChange={(changed) => set({ shares: changed })} />
          <p className={classes["sentence"]}>People see only rows and columns that they may see.</p>
        </>
      )}
    </FormDialog>
  );
}

function ShareList({ shares, onChange }: { shares: readonly Share[]; onChange: (shares: readonly Share[]) => void }) {
  if (shares.length === 0) return <p className={classes["sentence"]}>Only you see it.</p>;
  return (
    <ul aria-label="Shared with" className={classes["shares"]}>
      {shares.map((share, index) => (
        <li key={recipientKey(share.to)}>
          <span>
            {share.to.name}
            <small>{kindNames[share.to.kind]}</small>
          </span>
          <NativeSelect
            aria-label={`What ${share.to.name} may do`}
            value={share.can}
            data={[
              { value: "view", label: "View" },
              { value: "edit", label: "Edit" },
            ]}
            onChange={(event) => onChange(shares.with(index, { ...share, can: event.currentTarget.value as ShareCan }))}
          />
          <IconButton label={`Remove ${share.to.name}`} onClick={() => onChange(shares.toSpliced(index, 1))}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
