import type { LoginAnswer } from "@fairway/contract/auth";
import type { PasskeyRequest } from "@fairway/contract/passkeys";
import { secondFactorSignIn, type SecondFactorProof } from "@fairway/contract/second-factors";
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { canUsePasskey, requestPasskey } from "#lib/passkeys.ts";
import { Failure, SubmitButton, TextField } from "./fields.tsx";
import { secondFactorFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

/** What a sign-in waits for. */
export interface SecondStep {
  /** Opens the second step and nothing else. */
  readonly token: string;
  /** Undefined: a code, as an older server asks for. */
  readonly takes: LoginAnswer["secondFactors"];
}

interface SecondFactorStepProps {
  step: SecondStep;
  /** False where a dialog already carries the heading. */
  heading: boolean;
  onProven: (answer: LoginAnswer) => void;
  /** Back to the first step, with a reason where there is one to give. */
  onBack: (reason?: string) => void;
}

type Method = "passkey" | "code" | "recovery";

const leads: Record<Method, string> = {
  passkey: "Confirm that it is you with one of your passkeys.",
  code: "Enter the code that your authenticator app shows.",
  recovery: "Enter one of your recovery codes. Each works once.",
};

/** The second step of signing in: a passkey or a code of the authenticator app, or a recovery code in their place. */
export function SecondFactorStep({ step: { token, takes }, heading, onProven, onBack }: SecondFactorStepProps) {
  const request = takes?.passkey ?? null;
  const passkey = canUsePasskey(request) ? request : null;
  const takesCode = takes?.code ?? true;
  const [method, setMethod] = useState<Method>(takesCode ? "code" : passkey ? "passkey" : "recovery");
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState<Method | null>(null);
  const box = useRef<HTMLInputElement>(null);

  function choose(next: Method): void {
    setMethod(next);
    setCode("");
    setFailure(null);
  }

  async function prove(by: Method, proofOf: () => Promise<SecondFactorProof>): Promise<void> {
    setBusy(by);
    setFailure(null);
    try {
      onProven(await call(secondFactorSignIn.prove, { body: await proofOf() }, { token }));
      return;
    } catch (error) {
      if (!(error instanceof GatewayError)) setFailure(messagesOf(error).join(" "));
      else if (error.errors.some((one) => one.code === "not-signed-in")) return onBack("The sign-in took too long. Log in again.");
      // What a passkey is asked to sign counts once.
      else if (by === "passkey" && error.status === 401) return onBack("The passkey was not accepted. Log in again.");
      else setFailure(secondFactorFailure(error));
      box.current?.focus();
      box.current?.select();
    }
    setBusy(null);
  }

  const proveByPasskey = (asked: PasskeyRequest) => prove("passkey", async () => ({ passkey: await requestPasskey(asked) }));

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
          <CodeField key={method} byRecovery={method === "recovery"} code={code} box={box} onChange={setCode} />
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
      {method !== "recovery" && <Plain onClick={() => choose("recovery")}>Use a recovery code</Plain>}
      {method === "recovery" && takesCode && <Plain onClick={() => choose("code")}>Use the authenticator app</Plain>}
      {method === "recovery" && !takesCode && passkey && <Plain onClick={() => choose("passkey")}>Use a passkey</Plain>}
      <Plain onClick={() => onBack()}>Back to Login</Plain>
    </form>
  );
}

function Plain({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes["plain"]} onClick={onClick}>
      {children}
    </button>
  );
}

/** Takes the focus when it comes up. */
function PasskeyButton({ busy }: { busy: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return <SubmitButton label="Use a Passkey" busyLabel="Waiting for your passkey…" busy={busy} disabled={false} buttonRef={button} />;
}

interface CodeFieldProps {
  byRecovery: boolean;
  code: string;
  box: RefObject<HTMLInputElement | null>;
  onChange: (code: string) => void;
}

/** Takes the focus when it comes up. */
function CodeField({ byRecovery, code, box, onChange }: CodeFieldProps) {
  useEffect(() => box.current?.focus(), [box]);
  const common = { value: code, onChange, inputRef: box, first: true };
  return byRecovery ? (
    <TextField {...common} label="Recovery code" name="recovery-code" autoComplete="off" />
  ) : (
    <TextField {...common} label="Code" name="one-time-code" autoComplete="one-time-code" inputMode="numeric" />
  );
}
