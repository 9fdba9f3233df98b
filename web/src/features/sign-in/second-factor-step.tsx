import type { LoginAnswer } from "@fairway/contract/auth";
import type { PasskeyRequest } from "@fairway/contract/passkeys";
import { secondFactorSignIn, type SecondFactorProof } from "@fairway/contract/second-factors";
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { canUsePasskey, requestPasskey } from "#lib/session/passkeys.ts";
import { Failure, SubmitButton, TextField } from "./fields.tsx";
import { secondFactorFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

/** A pending second step. */
export interface SecondStep {
  /** Valid for the second step only. */
  readonly token: string;
  /** Undefined from an older server, which accepts codes only. */
  readonly takes: LoginAnswer["secondFactors"];
}

interface SecondFactorStepProps {
  step: SecondStep;
  /** False when a dialog already has the heading. */
  heading: boolean;
  onProven: (answer: LoginAnswer) => void;
  /** Goes back to the first step, optionally with a reason. */
  onBack: (reason?: string) => void;
}

type Method = "passkey" | "code" | "recovery";

const leads: Record<Method, string> = {
  passkey: "Confirm it's you with one of your passkeys.",
  code: "Enter the code your authenticator app shows.",
  recovery: "Enter one of your recovery codes. Each works once.",
};

/** The second step of signing in: a passkey, a code of the authenticator app or a recovery code. */
export function SecondFactorStep({ step: { token, takes }, heading, onProven, onBack }: SecondFactorStepProps) {
  const request = takes?.passkey ?? null;
  const passkey = canUsePasskey(request) ? request : null;
  const takesCode = takes?.code ?? true;
  const [method, setMethod] = useState<Method>(takesCode ? "code" : passkey ? "passkey" : "recovery");
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<Method | null>(null);
  const input = useRef<HTMLInputElement>(null);

  function choose(next: Method): void {
    setMethod(next);
    setCode("");
    setFailure(null);
  }

  async function prove(by: Method, createProof: () => Promise<SecondFactorProof>): Promise<void> {
    setBusy(by);
    setFailure(null);
    try {
      onProven(await call(secondFactorSignIn.prove, { body: await createProof() }, { token }));
      return;
    } catch (error) {
      if (!(error instanceof GatewayError)) setFailure(messagesOf(error).join(" "));
      else if (error.errors.some(({ code: errorCode }) => errorCode === "not-signed-in"))
        return onBack("The sign-in took too long. Sign in again.");
      // A passkey challenge can be used only once.
      else if (by === "passkey" && error.status === 401) return onBack("The passkey was not accepted. Sign in again.");
      else setFailure(secondFactorFailure(error));
      input.current?.focus();
      input.current?.select();
    }
    setBusy(null);
  }

  const proveByPasskey = (passkeyRequest: PasskeyRequest) =>
    prove("passkey", async () => ({ passkey: await requestPasskey(passkeyRequest) }));

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (busy !== null) return;
    if (method === "passkey") {
      if (passkey) void proveByPasskey(passkey);
    } else if (code.trim() !== "") void prove(method, async () => (method === "recovery" ? { recoveryCode: code } : { code }));
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        {heading ? <h1>Second Step</h1> : <h2>Second Step</h2>}
        <p className={classes["lead"]}>
          {!takesCode && !passkey && "Your passkeys do not work at this address. "}
          {leads[method]}
        </p>
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      {method === "passkey" ? (
        <PasskeyButton busy={busy === "passkey"} />
      ) : (
        <>
          <CodeField key={method} isRecovery={method === "recovery"} code={code} input={input} onChange={setCode} />
          <SubmitButton label="Continue" busyLabel="Checking…" busy={busy === method} disabled={code.trim() === "" || busy !== null} />
        </>
      )}
      {method === "code" && passkey && (
        <button
          type="button"
          className={classes["card"]}
          disabled={busy !== null}
          aria-busy={busy === "passkey"}
          onClick={() => void proveByPasskey(passkey)}
        >
          {busy === "passkey" ? "Waiting for your passkey…" : "Use a Passkey"}
        </button>
      )}
      {method !== "recovery" && <PlainButton onClick={() => choose("recovery")}>Use a recovery code</PlainButton>}
      {method === "recovery" && takesCode && <PlainButton onClick={() => choose("code")}>Use the authenticator app</PlainButton>}
      {method === "recovery" && !takesCode && passkey && <PlainButton onClick={() => choose("passkey")}>Use a passkey</PlainButton>}
      <PlainButton onClick={() => onBack()}>Back to Login</PlainButton>
    </form>
  );
}

function PlainButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes["plain"]} onClick={onClick}>
      {children}
    </button>
  );
}

/** Focuses itself on mount. */
function PasskeyButton({ busy }: { busy: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return <SubmitButton label="Use a Passkey" busyLabel="Waiting for your passkey…" busy={busy} disabled={false} buttonRef={button} />;
}

interface CodeFieldProps {
  isRecovery: boolean;
  code: string;
  input: RefObject<HTMLInputElement | null>;
  onChange: (code: string) => void;
}

/** Focuses itself on mount. */
function CodeField({ isRecovery, code, input, onChange }: CodeFieldProps) {
  useEffect(() => input.current?.focus(), [input]);
  const common = { value: code, onChange, inputRef: input, hasInitialFocus: true };
  return isRecovery ? (
    <TextField {...common} label="Recovery code" name="recovery-code" autoComplete="off" />
  ) : (
    <TextField {...common} label="Code" name="one-time-code" autoComplete="one-time-code" inputMode="numeric" />
  );
}
