import { setup } from "@fairway/contract/auth";
import { useId, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import type { GatewayError } from "#lib/gateway/gateway-error.ts";
import { useNewPassword } from "#lib/session/use-new-password.ts";
import { Failure, SubmitButton, TextField } from "./fields.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { commonFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";
import { useAttempt } from "./use-attempt.ts";

const minUsernameCharacters = 2;

/** Creates the first administrator of a new installation, reached by the one-time link in the server's log. */
export function SetupForm({ setupToken: tokenFromLink, onCreated }: { setupToken: string; onCreated: (username: string) => void }) {
  const [setupToken, setSetupToken] = useState(tokenFromLink);
  const [username, setUsername] = useState("");
  const passwords = useNewPassword();
  const firstInput = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const name = username.trim();
  const nameProblem =
    name !== "" && name.length < minUsernameCharacters ? `The username needs at least ${minUsernameCharacters} characters.` : null;
  const ready = setupToken.trim() !== "" && name.length >= minUsernameCharacters && passwords.isReady;
  const { busy, failure, submit } = useAttempt(
    ready,
    async () => {
      await call(setup.createFirstAdministrator, {
        body: { setupToken: setupToken.trim(), username: name, password: passwords.password },
      });
      onCreated(name);
    },
    setupFailure,
    firstInput,
  );

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        <h1>Set up the portal</h1>
        <p className={classes["lead"]}>Create the first administrator. You can add everyone else from inside the portal.</p>
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      {tokenFromLink === "" && (
        <TextField
          label="Setup token"
          name="setup-token"
          value={setupToken}
          autoComplete="off"
          onChange={setSetupToken}
          inputRef={firstInput}
        />
      )}
      <TextField
        label="Username"
        name="username"
        value={username}
        autoComplete="username"
        onChange={setUsername}
        describedBy={hintId}
        inputRef={tokenFromLink === "" ? undefined : firstInput}
      />
      <NewPasswordFields passwords={passwords} label="Password" hintId={hintId} otherProblem={nameProblem} />
      <SubmitButton label="Create administrator" busyLabel="Creating…" busy={busy} disabled={!ready} />
      <a className={classes["plain"]} href="/login">
        Back to Login
      </a>
    </form>
  );
}

const setupFailure = (error: GatewayError): string =>
  error.status === 404
    ? "This link is no longer valid, or the portal is already set up. Sign in, or copy the link from the server's log."
    : commonFailure(error);
