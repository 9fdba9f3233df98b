import { demoPassword } from "@fairway/contract/api";
import { auth, type LoginAnswer, type TokenWrapper } from "@fairway/contract/auth";
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { ChunkLoadError } from "#lib/chunk-load.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import type { CardReturn } from "#lib/card.ts";
import { logFailure } from "#lib/log.ts";
import { usePortal, usePortalSettings } from "#lib/portal-settings.ts";
import { claimsOf } from "#lib/session/session-record.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { loadErrorText } from "#ui/load-error-text.ts";
import { CardLink } from "./card-link.tsx";
import { cardFailed, signInByCard } from "./card-sign-in.ts";
import { DemoAccounts } from "./demo-accounts.tsx";
import { Failure, PasswordField, SubmitButton, TextField } from "./fields.tsx";
import { type LaterSteps, loadLaterSteps } from "./later-steps.ts";
import type { SecondStep } from "./second-factor-step.tsx";
import { loginFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

interface SignInProps {
  /** Username to begin with; the password is then asked for first. */
  username?: string;
  /** False where a dialog already carries the heading. */
  heading?: boolean;
  /** What the card's issuer sent this browser back with. Undefined where one cannot leave for it: in a dialog. */
  card?: CardReturn | null;
  /** Takes the session up; false when the wrapper carries no user. */
  onSignedIn: (wrapper: TokenWrapper) => boolean;
}

/** Username and password, the second step where the account has one, and the forced password update where the account needs one. */
export function SignIn({ username: givenUsername = "", heading = true, card, onSignedIn }: SignInProps) {
  const { demo } = usePortalSettings();
  const [username, setUsername] = useState(givenUsername);
  const [password, setPassword] = useState("");
  const [autofilled, setAutofilled] = useState(false);
  const [failure, setFailure] = useState<{ title?: string; text: string; more?: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [reading, setReading] = useState(card?.kind === "code");
  const cards = usePortal(({ ui }) => ui?.cac ?? null);
  const [step, setStep] = useState<SecondStep | null>(null);
  const [resetToken, setResetToken] = useState<string | null>(null);
  const [laterSteps, setLaterSteps] = useState<LaterSteps | null>(null);
  const usernameBox = useRef<HTMLInputElement>(null);
  const passwordBox = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!reading) (givenUsername === "" ? usernameBox : passwordBox).current?.focus();
  }, [givenUsername, reading]);

  const onCard = useEffectEvent((answer: CardReturn) => void loginByCard(answer));
  useEffect(() => {
    if (card) onCard(card);
  }, [card]);

  // While the password is typed. What does not come is asked for again when it is needed, and reported then.
  useEffect(
    () => whenIdle(() => void loadLaterSteps().catch((cause: unknown) => logFailure("Later steps could not be fetched ahead", cause))),
    [],
  );

  async function enter({ requiresPasswordChange, requiresSecondFactor, secondFactors, token }: LoginAnswer): Promise<boolean> {
    if (requiresPasswordChange || requiresSecondFactor) setLaterSteps(await loadLaterSteps());
    setStep(requiresSecondFactor ? { token: token.access_token, takes: secondFactors } : null);
    setResetToken(requiresPasswordChange ? token.access_token : null);
    if (requiresPasswordChange || requiresSecondFactor) setBusy(false);
    else if (onSignedIn(token)) return true;
    else setFailure({ text: "The server's answer names no user. Tell your administrator." });
    return false;
  }

  async function loginByCard(answer: CardReturn): Promise<void> {
    try {
      const admitted = await signInByCard(answer);
      if (admitted === null) setFailure(cardFailed());
      else {
        // The new password is then logged in with.
        setUsername(claimsOf(admitted.token.access_token)?.preferred_username ?? "");
        if (await enter(admitted)) return;
      }
    } catch (error) {
      if (error instanceof GatewayError) setFailure(cardFailed(error));
      else if (error instanceof ChunkLoadError) setFailure(loadErrorText(error));
      else throw error;
    }
    setReading(false);
  }

  async function login(credentials: { username: string; password: string }): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      if (await enter(await call(auth.login, { body: credentials }))) return;
    } catch (error) {
      if (error instanceof GatewayError) setFailure({ text: loginFailure(error) });
      else if (error instanceof ChunkLoadError) setFailure(loadErrorText(error));
      else throw error;
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

  if (laterSteps !== null && step !== null) {
    return (
      <laterSteps.SecondFactorStep
        step={step}
        heading={heading}
        onProven={(answer) => void enter(answer)}
        onBack={(reason) => {
          setStep(null);
          setPassword("");
          setFailure(reason === undefined ? null : { text: reason });
        }}
      />
    );
  }
  if (laterSteps !== null && resetToken !== null) {
    return (
      <laterSteps.PasswordUpdate
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
  if (reading) {
    return (
      <p role="status" className={classes["lead"]}>
        Signing in with your CAC…
      </p>
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
      {failure !== null && (
        <Failure title={failure.title}>
          <span>{failure.text}</span>
          {failure.more !== undefined && <span> {failure.more}</span>}
        </Failure>
      )}
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
      {card !== undefined && cards !== null && (
        <CardLink
          cards={cards}
          onFailed={(error) => setFailure({ ...cardFailed(), ...(error instanceof Error ? { text: error.message } : {}) })}
        />
      )}
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
