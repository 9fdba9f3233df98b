import type { LoginAnswer } from "@fairway/contract/auth";
import { secondFactorSignIn } from "@fairway/contract/second-factors";
import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from "react";
import { call } from "#lib/call.ts";
import { GatewayError } from "#lib/gateway-error.ts";
import { Failure, SubmitButton, TextField } from "./fields.tsx";
import { secondFactorFailure } from "./sign-in-failure.ts";
import classes from "./sign-in.module.css";

interface SecondFactorStepProps {
  /** Opens the second step and nothing else. */
  token: string;
  /** False where a dialog already carries the heading. */
  heading: boolean;
  onProven: (answer: LoginAnswer) => void;
  /** Back to the first step, with a reason where there is one to give. */
  onBack: (reason?: string) => void;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code in its place. */
export function SecondFactorStep({ token, heading, onProven, onBack }: SecondFactorStepProps) {
  const [byRecovery, setByRecovery] = useState(false);
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLInputElement>(null);

  async function prove(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      onProven(await call(secondFactorSignIn.prove, { body: byRecovery ? { recoveryCode: code } : { code } }, { token }));
      return;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.errors.some((one) => one.code === "not-signed-in")) return onBack("The sign-in took too long. Log in again.");
      setFailure(secondFactorFailure(error));
      box.current?.focus();
      box.current?.select();
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (code.trim() !== "" && !busy) void prove();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <div>
        {heading ? <h1>Second Step</h1> : <h2>Second Step</h2>}
        <p className={classes["lead"]}>
          {byRecovery ? "Enter one of your recovery codes. Each works once." : "Enter the code that your authenticator app shows."}
        </p>
      </div>
      {failure !== null && <Failure>{failure}</Failure>}
      <CodeField key={String(byRecovery)} byRecovery={byRecovery} code={code} box={box} onChange={setCode} />
      <SubmitButton label="Continue" busyLabel="Checking…" busy={busy} disabled={code.trim() === ""} />
      <button
        type="button"
        className={classes["plain"]}
        onClick={() => {
          setByRecovery(!byRecovery);
          setCode("");
          setFailure(null);
        }}
      >
        {byRecovery ? "Use the authenticator app" : "Use a recovery code"}
      </button>
      <button type="button" className={classes["plain"]} onClick={() => onBack()}>
        Back to Login
      </button>
    </form>
  );
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
