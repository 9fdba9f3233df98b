import type { DeploymentStep } from "@fairway/contract/flow-deployments";
import { Button, Loader } from "@mantine/core";
import { IconCheck } from "#ui/icons/check.ts";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconMinus } from "#ui/icons/minus.ts";
import { IconX } from "#ui/icons/x.ts";
import { useEffect, useRef, useState } from "react";
import { copyText } from "#lib/text/copy.ts";
import { clockText } from "#lib/time/dates.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import type { Deploying } from "./use-deploy.ts";
import classes from "./deploy.module.css";

interface Props {
  deploying: Deploying;
  onClose: () => void;
  onRetry: () => void;
}

/** The steps of a deployment, and how it ended. */
export function DeployProgress({ deploying, onClose, onRetry }: Props) {
  const { order, state, steps } = deploying;
  const what = `Iteration ${order.iteration.number} to ${order.environment.displayName}`;
  const failedAt = steps.findIndex((step) => step.state === "failed");
  const heading = useRef<HTMLParagraphElement>(null);
  // The form, which had the focus, is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={classes["progress"]}>
      <p ref={heading} tabIndex={-1} className={classes["sub"]}>
        {state === "failed" && failedAt >= 0 ? `${what}, stopped at “${steps[failedAt]?.name ?? ""}”` : what}
        {state === "running" && (
          <>
            , <Clock startedMs={deploying.startedMs} />
          </>
        )}
      </p>
      <ol className={classes["steps"]} aria-label="Steps">
        {steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
        {steps.length === 0 && state === "running" && (
          <Step step={{ name: "Begin", state: "running", text: "", startedMs: 0, durationMs: null }} />
        )}
      </ol>
      <p role="status" className={classes["visuallyHidden"]}>
        {state === "running" ? (steps.findLast((step) => step.state === "running")?.name ?? "") : ""}
      </p>
      {state === "failed" && failedAt < 0 && (
        <div role="alert" className={classes["failure"]}>
          {deploying.messages.map((message) => (
            <p key={message}>{message}</p>
          ))}
        </div>
      )}
      {state === "done" && (
        <div role="status" className={classes["note"]}>
          <p>{`Iteration ${order.iteration.number} is deployed to ${order.environment.displayName}.`}</p>
          {deploying.warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </div>
      )}
      {state === "running" && <p className={classes["help"]}>The deployment continues if you close this.</p>}
      <div className={classes["actions"]}>
        {state === "failed" && (
          <Button variant="default" mr="auto" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copyDetails(deploying)}>
            Copy Details
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {state === "failed" && <Button onClick={onRetry}>Try Again</Button>}
      </div>
    </div>
  );
}

async function copyDetails({ order, steps, ...outcome }: Deploying): Promise<void> {
  const lines = [
    `Iteration ${order.iteration.number} to ${order.environment.displayName}`,
    ...steps.map(({ name, state, text }) => `${name}: ${state}${text === "" ? "" : `. ${text}`}`),
    ...(outcome.state === "failed" ? outcome.messages : []),
  ];
  if (await copyText(lines.join("\n"))) toastSuccess("Copied", 1200);
}

const icons = { done: IconCheck, failed: IconX, skipped: IconMinus } as const;
const stateNames = { done: "done", failed: "failed", skipped: "not needed", running: "running" } as const;

function Step({ step: { name, state, text, durationMs } }: { step: DeploymentStep }) {
  const Icon = state === "running" ? undefined : icons[state];
  return (
    <li className={classes["step"]} data-state={state}>
      <span className={classes["mark"]} aria-hidden>
        {Icon ? <Icon size={12} stroke={3} /> : <Loader size={12} />}
      </span>
      <div>
        <div className={classes["stepHead"]}>
          <strong>{name}</strong>
          <span className={classes["visuallyHidden"]}>{stateNames[state]}</span>
          {durationMs !== null && state !== "skipped" && (
            <span className={classes["duration"]}>{`${(durationMs / 1_000).toFixed(1)} s`}</span>
          )}
        </div>
        {text !== "" &&
          (state === "failed" ? (
            <div role="alert" className={classes["failure"]}>
              <p>{text}</p>
            </div>
          ) : (
            <p className={classes["help"]}>{text}</p>
          ))}
      </div>
    </li>
  );
}

function Clock({ startedMs }: { startedMs: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <span role="timer" aria-live="off">
      {clockText(Math.max(0, now - startedMs))}
    </span>
  );
}
