import { Button, PasswordInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import type { CardReturn } from "#lib/session/card.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { linkCard, linkFailed } from "./cac-queries.ts";

interface Props {
  /** The issuer's response; null closes the dialog. */
  response: (CardReturn & { kind: "code" }) | null;
  username: string;
  /** Called when the card is linked, the dialog is closed, or the code was used up by a failed attempt. */
  onSettled: () => void;
}

/** Asks for the password before linking a card, so an unattended session is not enough. */
export function CacConfirm({ response, username, onSettled }: Props) {
  return (
    <Dialog opened={response !== null} onClose={onSettled} title="Confirm Your Password">
      {response && <Confirm response={response} username={username} onSettled={onSettled} />}
    </Dialog>
  );
}

function Confirm({ response, username, onSettled }: Props & { response: CardReturn & { kind: "code" } }) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function link(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await linkCard(response, password);
      toastSuccess("CAC linked");
      return onSettled();
    } catch (error) {
      if (isCodeUnused(error)) {
        setFailure(messagesOf(error).join(" "));
        setBusy(false);
      } else {
        toastError(linkFailed, messagesOf(error).join(" "));
        onSettled();
      }
    }
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (password !== "" && !busy) void link();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <p className={classes["hint"]}>Your CAC was read. Enter your password to link it to your account.</p>
      {failure !== null && (
        <div role="alert" className={classes["failure"]}>
          <strong>{linkFailed}</strong>
          {failure}
        </div>
      )}
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label="Password"
        value={password}
        autoComplete="current-password"
        required
        data-autofocus
        visibilityToggleButtonProps={{ "aria-label": "Show password" }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onSettled}>
          Cancel
        </Button>
        <Button type="submit" disabled={password === ""} loading={busy}>
          Link
        </Button>
      </div>
    </form>
  );
}

/** True when the issuer's code is still unused: the password was refused or the request did not arrive. */
const isCodeUnused = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 429 || error.errors[0]?.path === "password");
