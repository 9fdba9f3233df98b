import type { Passkey } from "@fairway/contract/passkeys";
import { Button } from "@mantine/core";
import { IconFingerprint } from "#ui/icons/fingerprint.ts";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { createPasskey, passkeyProblem } from "#lib/session/passkeys.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { PasskeyNameDialog as NameDialog } from "./methods-passkey-name.tsx";
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from "./methods-queries.ts";
import { suggestPasskeyName } from "./passkey-names.ts";
import { useFreshAction } from "../use-fresh-action.tsx";

interface PasskeysProps {
  passkeys: readonly Passkey[];
  /** Passkeys are the only second factor, so removing the last one leaves just the password. */
  isOnlyFactor: boolean;
  onRecoveryCodes: (codes: string[]) => void;
}

/** The account's passkeys as an entry in the list of sign-in methods. */
export function Passkeys({ passkeys, isOnlyFactor, onRecoveryCodes }: PasskeysProps) {
  // "new" while a passkey is being added.
  const [naming, setNaming] = useState<Passkey | "new" | null>(null);
  const fresh = useFreshAction();
  const problem = passkeyProblem();

  async function save({ name }: { name: string }): Promise<void> {
    if (naming === "new") {
      const { recoveryCodes } = await addPasskey(await createPasskey(await beginPasskey(name)));
      toastSuccess("Passkey added", 1200);
      if (recoveryCodes.length > 0) onRecoveryCodes(recoveryCodes);
    } else if (naming) {
      await renamePasskey(naming.id, name);
      toastSuccess("Passkey renamed", 1200);
    }
    setNaming(null);
  }

  async function remove({ id, name }: Passkey): Promise<void> {
    const isLast = isOnlyFactor && passkeys.length === 1;
    const text = isLast
      ? "You'll sign in with your password alone, and your recovery codes stop working."
      : "You can no longer sign in with it. Delete it on your device as well; the portal can't do that.";
    if (!(await confirm({ title: `Remove the Passkey ${name}?`, text, confirmLabel: "Remove", destructive: true }))) return;
    const removal = async () => {
      await removePasskey(id);
      toastSuccess("Passkey removed", 1200);
    };
    await fresh.run(removal, (error) => toastError("Passkey Not Removed", messagesOf(error).join(" ")));
  }

  return (
    <li>
      <IconFingerprint size={20} stroke={1.6} aria-hidden />
      <div className={classes["description"]}>
        Passkeys
        <small>
          {problem ??
            "A fingerprint, face, PIN or security key, used after your password. Unlike a code, it can't be stolen by a fake page."}
        </small>
      </div>
      {problem === null && (
        <Button variant={passkeys.length === 0 ? "filled" : "default"} onClick={() => setNaming("new")}>
          Add Passkey
        </Button>
      )}
      {passkeys.length > 0 && (
        <ul className={classes["inner"]} aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div className={classes["description"]}>
                {passkey.name}
                <small>
                  <span>Added {localTime(passkey.addedMs)}</span>
                  {passkey.lastUsedMs !== null && (
                    <>
                      {" · "}
                      <span>last used {localTime(passkey.lastUsedMs)}</span>
                    </>
                  )}
                  {passkey.host !== location.hostname && (
                    <>
                      {" · "}
                      <span>works at {passkey.host} only</span>
                    </>
                  )}
                </small>
              </div>
              <IconButton label={`Rename ${passkey.name}`} onClick={() => setNaming(passkey)}>
                <IconPencil size={16} aria-hidden />
              </IconButton>
              <IconButton label={`Remove ${passkey.name}`} onClick={() => void remove(passkey)}>
                <IconTrash size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <NameDialog
        naming={naming}
        suggestion={suggestPasskeyName(navigator.userAgent, passkeys)}
        attempt={fresh.run}
        onClose={() => setNaming(null)}
        save={save}
      />
      {fresh.dialog}
    </li>
  );
}
