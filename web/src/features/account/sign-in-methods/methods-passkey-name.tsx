import { type Passkey, passkeyNameCharacters } from "@fairway/contract/passkeys";
import { TextInput } from "@mantine/core";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { FormDialog, selectAll } from "#ui/kit/form-dialog.tsx";
import type { DialogFormOptions } from "#ui/kit/use-dialog-form.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import classes from "../account.module.css";

interface Props extends Pick<DialogFormOptions<{ name: string }>, "attempt" | "save"> {
  /** A passkey to rename, or "new"; null closes the dialog. */
  naming: Passkey | "new" | null;
  /** The suggested name of a new passkey. */
  suggestion: string;
  onClose: () => void;
}

/** Names a passkey: a new one before the browser creates it, or an existing one. */
export function PasskeyNameDialog({ naming, suggestion, ...form }: Props) {
  const shown = useLastShown(naming);
  const isNew = shown === "new";
  return (
    <FormDialog
      {...form}
      opened={naming !== null}
      title={isNew ? "Add Passkey" : "Rename Passkey"}
      initial={{ name: shown === null || isNew ? suggestion : shown.name }}
      canSave={({ name }) => name.trim() !== ""}
      saveLabel={isNew ? "Continue" : "Rename"}
      renderFailure={null}
      className={classes["dialogForm"]}
    >
      {({ field, refusal, saving }) => (
        <>
          {isNew && <p className={classes["hint"]}>Your browser then asks for a fingerprint, a face, a PIN or a security key.</p>}
          <TextInput
            label="Name"
            {...(isNew ? { description: "So you can tell it apart from your other passkeys" } : {})}
            {...field("name")}
            error={refusal !== null && !saving && messagesOf(refusal.error).join(" ")}
            maxLength={passkeyNameCharacters}
            autoComplete="off"
            required
            data-autofocus
            onFocus={selectAll}
          />
        </>
      )}
    </FormDialog>
  );
}
