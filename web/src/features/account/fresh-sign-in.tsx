import { Button, PasswordInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { Dialog } from "#ui/dialog.tsx";
import classes from "./account.module.css";
import { signInFresh } from "./password-change.ts";

interface Props {
  opened: boolean;
  username: string;
  onClose: () => void;
  onSignedIn: () => void;
}

/** Asks for the current password, where the sign-in is too long ago. What was typed on the page stays. */
export function FreshSignIn({ opened, ...rest }: Props) {
  return (
    <Dialog opened={opened} onClose={rest.onClose} title="Confirm It Is You">
      <CurrentPassword {...rest} />
    </Dialog>
  );
}

function CurrentPassword({ username, onClose, onSignedIn }: Omit<Props, "opened">) {
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function check(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      if (await signInFresh(username, password)) return onSignedIn();
      setFailure("Your account needs a new password. Log out, log in again, and choose it there.");
    } catch (error) {
      setFailure(messagesOf(error).join(" "));
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (password !== "" && !busy) void check();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <p className={classes["hint"]}>Your sign-in is some time ago. Enter your current password, and the change goes on.</p>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordInput
        label="Current password"
        value={password}
        autoComplete="current-password"
        required
        data-autofocus
        error={failure}
        visibilityToggleButtonProps={{ "aria-label": "Show current password" }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={password === ""} loading={busy}>
          Go On
        </Button>
      </div>
    </form>
  );
}
