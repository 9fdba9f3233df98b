import type { Share, ShareDraft } from "@fairway/contract/sharing";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { draftOf } from "./share-draft.ts";
import { ShareFields } from "./share-fields.tsx";

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
        <ShareFields
          takesFocus
          shares={values.shares}
          mayShareWithEveryone={mayShareWithEveryone}
          onChange={(changed) => set({ shares: changed })}
        />
      )}
    </FormDialog>
  );
}
