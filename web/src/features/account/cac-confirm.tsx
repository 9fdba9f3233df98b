import { Button, PasswordInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import type { CardReturn } from "#lib/card.ts";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";
import classes from "./account.module.css";
import { linkCard, linkFailed } from "./cac-queries.ts";

interface Props {
  /** What the issuer sent; null closes the dialog. */
  answer: (CardReturn & { kind: "code" }) | null;
  username: string;
  /** Linked, given up, or spent without success. */
  onSettled: () => void;
}

/** Asks for the password before a card is linked: a session that was left open is not enough. */
export function CacConfirm({ answer, username, onSettled }: Props) {
  return (
    <Dialog opened={answer !== null} onClose={onSettled} title="Confirm Your Password">
      {answer && <Confirm answer={answer} username={username} onSettled={onSettled} />}
    </Dialog>
  );
}

function Confirm({ answer, username, onSettled }: Props & { answer: CardReturn & { kind: "code" } }) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function link(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await linkCard(answer, password);
      toastSuccess("CAC linked");
      return onSettled();
    } catch (error) {
      if (isStillGood(error)) {
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

/** Whether the issuer's code was not turned in yet: the password was refused, or nothing arrived. */
const isStillGood = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 429 || error.errors[0]?.path === "password");
