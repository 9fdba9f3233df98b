import { PasswordInput, Button } from "@mantine/core";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { type SubmitEvent, useId, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { useNewPassword } from "#lib/session/use-new-password.ts";
import { describedBy } from "#ui/described-by.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { keysQuery } from "../api-keys/keys-queries.ts";
import { changePassword } from "./password-change.ts";
import { useFreshAction } from "../use-fresh-action.tsx";

/** Changes the user's password. */
export function PasswordPage() {
  const { passwordless } = useCurrentUser();
  // Without a password, the screen does not exist.
  return passwordless === true ? <Navigate to="/search" replace /> : <NewPassword />;
}

function NewPassword() {
  const { preferred_username: username } = useCurrentUser();
  const { password, confirmation, setPassword, setConfirmation, problem, hint, isReady } = useNewPassword();
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction();
  const keyCount = useQuery(keysQuery).data?.length ?? 0;
  const hintId = useId();
  useUnsavedChanges(password !== "" || confirmation !== "");

  async function update(): Promise<void> {
    setBusy(true);
    try {
      await changePassword(password);
      setPassword("");
      setConfirmation("");
      toastSuccess("Password updated");
    } finally {
      setBusy(false);
    }
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (isReady && !busy) void fresh.run(update, (error) => toastError("Password Update Failed", messagesOf(error).join(" ")));
  }

  return (
    <>
      <PageHeader title="Change Password" />
      <div className={classes["page"]}>
        <p className={classes["lead"]}>
          A CAC that is linked to your account becomes unlinked. Your sessions on other devices are signed out.
        </p>
        <form className={classes["form"]} onSubmit={submit} noValidate>
          {/* Tells password managers which account this is. */}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            label="New password"
            name="new-password"
            value={password}
            autoComplete="new-password"
            required
            ref={describedBy(hintId)}
            visibilityToggleButtonProps={{ "aria-label": "Show new password" }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordInput
            label="Confirm password"
            name="confirm-password"
            value={confirmation}
            autoComplete="new-password"
            required
            ref={describedBy(hintId)}
            visibilityToggleButtonProps={{ "aria-label": "Show confirmed password" }}
            onChange={(event) => setConfirmation(event.currentTarget.value)}
          />
          <p id={hintId} className={classes["hint"]} data-problem={problem !== null || undefined} aria-live="polite">
            {problem ?? hint}
          </p>
          <div className={classes["start"]}>
            <Button type="submit" disabled={!isReady} loading={busy}>
              Update Password
            </Button>
          </div>
        </form>
        {keyCount > 0 && (
          <p className={classes["note"]}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>
              {keyCount === 1 ? "Your API key keeps working." : `Your ${keyCount} API keys keep working.`} If someone else knew your
              password, review <Link to="/keys">your API keys</Link> and delete any you didn't create.
            </span>
          </p>
        )}
      </div>
      {fresh.dialog}
    </>
  );
}
