import { demoPassword } from "@fairway/contract/api";
import { auth, type LoginAnswer, type TokenWrapper } from "@fairway/contract/auth";
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { ChunkLoadError } from "#lib/browser/chunk-load.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import type { CardReturn } from "#lib/session/card.ts";
import { logFailure } from "#lib/browser/log.ts";
import type { ProviderReturn } from "#lib/session/provider.ts";
import { usePortal, usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { claimsOf } from "#lib/session/session-record.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import { loadErrorText } from "#ui/load-error-text.ts";
import { CardLink } from "./card-link.tsx";
import { cardFailed, signInByCard } from "./card-sign-in.ts";
import { DemoAccounts } from "./demo-accounts.tsx";
import { Failure, PasswordField, SubmitButton, TextField } from "./fields.tsx";
import { type LaterSteps, loadLaterSteps } from "./later-steps.ts";
import { ProviderButton } from "./provider-button.tsx";
import { providerFailed, signInByProvider } from "./provider-sign-in.ts";
import type { SecondStep } from "./second-factor-step.tsx";
import { loginFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

interface SignInProps {
  /** Initial username; the focus then starts in the password field. */
  username?: string;
  /** False when a dialog already has the heading. */
  heading?: boolean;
  /** The card issuer's response. Undefined in a dialog, which the user cannot leave for the issuer. */
  card?: CardReturn | null;
  /** The response of the organization's OpenID Connect provider. */
  provider?: ProviderReturn | null;
  /** Leaves a dialog for the provider. Undefined on Login. */
  leaveForProvider?: () => Promise<void>;
  /** Starts the session; returns false when the token names no user. */
  onSignedIn: (wrapper: TokenWrapper) => boolean;
}

/** Username and password, followed by the second step and the forced password update if the account needs them. */
export function SignIn({
  username: initialUsername = "",
  heading = true,
  card,
  provider = null,
  leaveForProvider,
  onSignedIn,
}: SignInProps) {
  const { demo } = usePortalSettings();
  const [username, setUsername] = useState(initialUsername);
  const [password, setPassword] = useState("");
  const [autofilled, setAutofilled] = useState(false);
  const [failure, setFailure] = useState<{ title?: string; text: string; more?: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const [reading, setReading] = useState(initialReading(card, provider));
  const cards = usePortal(({ ui }) => ui?.cac ?? null);
  const providerName = usePortal(({ ui }) => ui?.oidc?.displayName ?? null);
  const [step, setStep] = useState<SecondStep | null>(null);
  const [resetToken, setResetToken] = useState<string | null>(null);
  const [laterSteps, setLaterSteps] = useState<LaterSteps | null>(null);
  const usernameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (reading === null) (initialUsername === "" ? usernameInput : passwordInput).current?.focus();
  }, [initialUsername, reading]);

  const onCard = useEffectEvent((response: CardReturn) => void loginByCard(response));
  useEffect(() => {
    if (card) onCard(card);
  }, [card]);
  const onProvider = useEffectEvent((response: ProviderReturn) => void loginByProvider(response));
  useEffect(() => {
    if (provider) onProvider(provider);
  }, [provider]);

  // Prefetch while the password is typed. If this fails, the steps are loaded again and the failure is reported when they are needed.
  useEffect(
    () => whenIdle(() => void loadLaterSteps().catch((cause: unknown) => logFailure("Later steps could not be prefetched", cause))),
    [],
  );

  async function handleLogin({ requiresPasswordChange, requiresSecondFactor, secondFactors, token }: LoginAnswer): Promise<boolean> {
    if (requiresPasswordChange || requiresSecondFactor) setLaterSteps(await loadLaterSteps());
    setStep(requiresSecondFactor ? { token: token.access_token, takes: secondFactors } : null);
    setResetToken(requiresPasswordChange ? token.access_token : null);
    if (requiresPasswordChange || requiresSecondFactor) setBusy(false);
    else if (onSignedIn(token)) return true;
    else setFailure({ text: "The server's response names no user. Tell your administrator." });
    return false;
  }

  async function loginByCard(response: CardReturn): Promise<void> {
    try {
      const loginResponse = await signInByCard(response);
      if (loginResponse === null) setFailure(cards === null && providerName !== null ? providerFailed(providerName) : cardFailed());
      else {
        // Needed to log in after a forced password update.
        setUsername(claimsOf(loginResponse.token.access_token)?.preferred_username ?? "");
        if (await handleLogin(loginResponse)) return;
      }
    } catch (error) {
      if (error instanceof GatewayError) setFailure(cardFailed(error));
      else if (error instanceof ChunkLoadError) setFailure(loadErrorText(error));
      else throw error;
    }
    setReading(null);
  }

  async function loginByProvider(response: ProviderReturn): Promise<void> {
    const name = providerName ?? "The provider";
    try {
      const loginResponse = await signInByProvider(response);
      if (loginResponse === null) setFailure(providerFailed(name));
      else if (await handleLogin(loginResponse)) return;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      setFailure(providerFailed(name, error));
    }
    setReading(null);
  }

  async function login(credentials: { username: string; password: string }): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      if (await handleLogin(await call(auth.login, { body: credentials }))) return;
    } catch (error) {
      if (error instanceof GatewayError) setFailure({ text: loginFailure(error) });
      else if (error instanceof ChunkLoadError) setFailure(loadErrorText(error));
      else throw error;
      setResetToken(null);
      passwordInput.current?.focus();
      passwordInput.current?.select();
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // Autofilled values may be missing from the fields' state.
    const filled = { username: (usernameInput.current?.value ?? username).trim(), password: passwordInput.current?.value ?? password };
    if (filled.username !== "" && filled.password !== "" && !busy) void login(filled);
  }

  if (laterSteps !== null && step !== null) {
    return (
      <laterSteps.SecondFactorStep
        step={step}
        heading={heading}
        onProven={(response) => void handleLogin(response)}
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
  if (reading !== null) {
    return (
      <p role="status" className={classes["lead"]}>
        Signing in with {reading === "card" ? "your CAC" : (providerName ?? "your organization")}…
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
        inputRef={usernameInput}
        hasInitialFocus={initialUsername === ""}
        onAutofill={() => setAutofilled(true)}
      />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        autoComplete="current-password"
        onChange={setPassword}
        inputRef={passwordInput}
        hasInitialFocus={initialUsername !== ""}
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
      {providerName !== null && (
        <ProviderButton
          displayName={providerName}
          leave={leaveForProvider}
          onFailed={(error) => setFailure(providerFailed(providerName, error))}
        />
      )}
      {demo && (
        <DemoAccounts
          onChoose={(account) => {
            setUsername(account);
            setPassword(demoPassword);
            setFailure(null);
            passwordInput.current?.focus();
          }}
        />
      )}
    </form>
  );
}

function initialReading(card: CardReturn | null | undefined, provider: ProviderReturn | null): "card" | "provider" | null {
  if (provider?.kind === "response") return "provider";
  return card?.kind === "code" ? "card" : null;
}
