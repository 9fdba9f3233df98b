import { setup } from "@fairway/contract/auth";
import { type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import { usePortalSettings } from "#lib/portal-settings.ts";
import { Failure, PasswordField, SubmitButton, TextField } from "./fields.tsx";
import { mayUpdatePassword, passwordHint, passwordProblem } from "#lib/password-rules.ts";
import { commonFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

const shortestUsername = 2;

/** The first administrator of a new installation, by the one-time link that the server's log prints. */
export function SetupForm({ setupToken: givenToken, onCreated }: { setupToken: string; onCreated: (username: string) => void }) {
  const {
    limits: { passwordMinCharacters },
    passwordRules,
  } = usePortalSettings();
  const [setupToken, setSetupToken] = useState(givenToken);
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const name = username.trim();
  const problem =
    (name !== "" && name.length < shortestUsername ? `The username needs at least ${shortestUsername} characters.` : null) ??
    passwordProblem(password, again, passwordMinCharacters);
  const ready = setupToken.trim() !== "" && name.length >= shortestUsername && mayUpdatePassword(password, again, passwordMinCharacters);

  useEffect(() => first.current?.focus(), []);

  async function create(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      await call(setup.createFirstAdministrator, { body: { setupToken: setupToken.trim(), username: name, password } });
      return onCreated(name);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(
        error.status === 404
          ? "This link is not valid any more, or the portal is set up already. Log in, or take the link from the server's log."
          : commonFailure(error),
      );
      first.current?.focus();
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!busy && ready) void create();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        <h1>Set up the portal</h1>
        <p className={classes["lead"]}>Create the first administrator. Everyone else is added from within.</p>
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      {givenToken === "" && (
        <TextField label="Setup token" name="setup-token" value={setupToken} autoComplete="off" onChange={setSetupToken} inputRef={first} />
      )}
      <TextField
        label="Username"
        name="username"
        value={username}
        autoComplete="username"
        onChange={setUsername}
        describedBy={hintId}
        {...(givenToken === "" ? {} : { inputRef: first })}
      />
      <PasswordField
        label="Password"
        name="new-password"
        value={password}
        autoComplete="new-password"
        onChange={setPassword}
        describedBy={hintId}
      />
      <PasswordField
        label="Confirm password"
        name="confirm-password"
        value={again}
        autoComplete="new-password"
        onChange={setAgain}
        describedBy={hintId}
      />
      <p id={hintId} className={classes["hint"]} data-problem={problem !== null || undefined} aria-live="polite">
        {problem ?? passwordHint(passwordRules, passwordMinCharacters)}
      </p>
      <SubmitButton label="Create administrator" busyLabel="Creating…" busy={busy} disabled={!ready} />
      <a className={classes["plain"]} href="/login">
        Back to Login
      </a>
    </form>
  );
}
