import { type Passkey, passkeyNameCharacters } from "@fairway/contract/passkeys";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import classes from "../account.module.css";

interface Props {
  /** A passkey to rename, or "new"; null closes the dialog. */
  naming: Passkey | "new" | null;
  /** The suggested name of a new passkey. */
  suggestion: string;
  failure: string | null;
  busy: boolean;
  onClose: () => void;
  onSave: (name: string) => void;
}

/** Names a passkey: a new one before the browser creates it, or an existing one. */
export function PasskeyNameDialog({ naming, ...rest }: Props) {
  // Kept while the dialog fades out, so its text does not change first.
  const [shown, setShown] = useState(naming);
  if (naming !== null && naming !== shown) setShown(naming);
  return (
    <Dialog opened={naming !== null} onClose={rest.onClose} title={shown === "new" ? "Add Passkey" : "Rename Passkey"}>
      {shown !== null && <NameForm key={shown === "new" ? "new" : shown.id} naming={shown} {...rest} />}
    </Dialog>
  );
}

function NameForm({ naming, suggestion, failure, busy, onClose, onSave }: Props & { naming: Passkey | "new" }) {
  const isNew = naming === "new";
  const [initialName] = useState(isNew ? suggestion : naming.name);
  const [name, setName] = useState(initialName);
  useUnsavedChanges(name !== initialName && !busy);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (name.trim() !== "" && !busy) onSave(name);
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      {isNew && <p className={classes["hint"]}>Your browser then asks for a fingerprint, a face, a PIN or a security key.</p>}
      <TextInput
        label="Name"
        {...(isNew ? { description: "So you can tell it apart from your other passkeys" } : {})}
        value={name}
        maxLength={passkeyNameCharacters}
        autoComplete="off"
        required
        data-autofocus
        error={failure}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={name.trim() === ""} loading={busy}>
          {isNew ? "Continue" : "Rename"}
        </Button>
      </div>
    </form>
  );
}
