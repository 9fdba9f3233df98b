import { demoPassword } from "@fairway/contract/api";
import { auth, type TokenWrapper } from "@fairway/contract/auth";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import { usePortalSettings } from "#lib/portal-settings.ts";
import { DemoAccounts } from "./demo-accounts.tsx";
import { Failure, PasswordField, SubmitButton, TextField } from "./fields.tsx";
import { PasswordUpdate } from "./password-update.tsx";
import { loginFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

interface SignInProps {
  /** Username to begin with; the password is then asked for first. */
  username?: string;
  /** False where a dialog already carries the heading. */
  heading?: boolean;
  /** Takes the session up; false when the wrapper carries no user. */
  onSignedIn: (wrapper: TokenWrapper) => boolean;
}

/** Username and password, and the forced password update where the account needs one. */
export function SignIn({ username: givenUsername = "", heading = true, onSignedIn }: SignInProps) {
  const { demo } = usePortalSettings();
  const [username, setUsername] = useState(givenUsername);
  const [password, setPassword] = useState("");
  const [autofilled, setAutofilled] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [resetToken, setResetToken] = useState<string | null>(null);
  const usernameBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);

  useEffect(() => {
    (givenUsername === "" ? usernameBox : passwordBox).current?.focus();
  }, [givenUsername]);

  async function login(credentials: { username: string; password: string }): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      const { requiresPasswordChange, token } = await call(auth.login, { body: credentials });
      if (requiresPasswordChange) setResetToken(token.access_token);
      else if (onSignedIn(token)) return;
      else setFailure("The server's answer names no user. Tell your administrator.");
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(loginFailure(error));
      setResetToken(null);
      passwordBox.current?.focus();
      passwordBox.current?.select();
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // What the browser filled in by itself may have passed the fields' state by.
    const filled = { username: (usernameBox.current?.value ?? username).trim(), password: passwordBox.current?.value ?? password };
    if (filled.username !== "" && filled.password !== "" && !busy) void login(filled);
  }

  if (resetToken !== null) {
    return (
      <PasswordUpdate
        resetToken={resetToken}
        username={username}
        heading={heading}
        onUpdated={(newPassword) => login({ username: username.trim(), password: newPassword })}
        onBack={() => {
          setResetToken(null);
          setPassword("");
        }}
      />
    );
  }
  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      {heading && (
        <div>
          <h1>Login</h1>
          <p className={classes["lead"]}>Sign in with your platform account.</p>
        </div>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
      <TextField
        label="Username"
        name="username"
        value={username}
        autoComplete="username"
        onChange={setUsername}
        inputRef={usernameBox}
        first={givenUsername === ""}
        onAutofill={() => setAutofilled(true)}
      />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        autoComplete="current-password"
        onChange={setPassword}
        inputRef={passwordBox}
        first={givenUsername !== ""}
        onAutofill={() => setAutofilled(true)}
      />
      <SubmitButton
        label="Login"
        busyLabel="Signing in…"
        busy={busy}
        disabled={!autofilled && (username.trim() === "" || password === "")}
      />
      {demo && (
        <DemoAccounts
          onChoose={(account) => {
            setUsername(account);
            setPassword(demoPassword);
            setFailure(null);
            passwordBox.current?.focus();
          }}
        />
      )}
    </form>
  );
}
