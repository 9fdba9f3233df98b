import {
  type DeploymentStep,
  flowDeployments,
  type FlowCredentials,
  type FlowDeployment,
  type IfRunning,
} from "@fairway/contract/flow-deployments";
import { useEffect, useRef, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { LiveWatch } from "#lib/live/live-changes.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { reloadDeployments } from "./queries.ts";

export interface DeployOrder {
  iteration: { id: number; number: number };
  environment: { id: string; displayName: string; baseUrl: string };
  credentials: FlowCredentials;
  ifRunning: IfRunning;
  /** Of a first deployment. */
  startNew: boolean;
}

export type Deploying = { order: Pick<DeployOrder, "iteration" | "environment">; startedMs: number; steps: readonly DeploymentStep[] } & (
  | { state: "running" }
  | { state: "done"; warnings: readonly string[] }
  | { state: "failed"; messages: readonly string[] }
);

const pollMs = 1_000;

interface Deploy {
  /** Undefined before the first attempt and after `reset`. */
  deploying: Deploying | undefined;
  start: (order: DeployOrder) => void;
  /** Shows nothing any more. */
  reset: () => void;
}

/** Deploys and follows the steps. After `reset` or when unmounted, the deployment goes on, and its end is shown as a toast only. */
export function useDeploy(): Deploy {
  const [deploying, setDeploying] = useState<Deploying>();
  /** Of the deployment that is shown. */
  const shown = useRef(0);
  useEffect(
    () => () => {
      shown.current += 1;
    },
    [],
  );

  const start = (order: DeployOrder): void => {
    const { iteration, environment } = order;
    const base = { order: { iteration, environment }, startedMs: Date.now() };
    shown.current += 1;
    const number = shown.current;
    const isShown = () => shown.current === number;
    const show = (next: Deploying): void => {
      if (isShown()) setDeploying(next);
    };
    show({ ...base, state: "running", steps: [] });
    let hasEnded = false;
    const follow = async () => {
      const running = await call(flowDeployments.running, { params: { id: iteration.id } }).catch(() => null);
      if (running?.environmentId !== environment.id) return null;
      if (!hasEnded && running.state === "running") show({ ...base, state: "running", steps: running.steps });
      return running;
    };
    const watch = new LiveWatch("deployments", String(iteration.id), pollMs);
    const followSteps = async (): Promise<void> => {
      for (;;) {
        await watch.wait();
        if (hasEnded) return;
        await follow();
      }
    };
    void followSteps();
    const end = (next: Deploying): void => {
      hasEnded = true;
      watch.close();
      show(next);
      void reloadDeployments();
    };
    void deploy(order, follow, watch).then(
      ({ warnings, steps }) => {
        toastSuccess(`Iteration ${iteration.number} deployed to ${environment.displayName}`);
        end({ ...base, state: "done", steps, warnings });
      },
      async (error: unknown) => {
        const messages = messagesOf(error);
        const running = isRefusal(error) ? null : await follow();
        if (!isShown()) toastError("Error Deploying", messages.join(" "));
        end({ ...base, state: "failed", steps: running?.state === "failed" ? running.steps : [], messages });
      },
    );
  };
  const reset = (): void => {
    shown.current += 1;
    setDeploying(undefined);
  };
  return { deploying, start, reset };
}

type Running = Awaited<ReturnType<typeof call<typeof flowDeployments.running>>>;
interface Outcome {
  warnings: readonly string[];
  steps: readonly DeploymentStep[];
}

async function deploy(order: DeployOrder, follow: () => Promise<Running>, watch: LiveWatch): Promise<Outcome> {
  const { iteration, environment, credentials, ifRunning, startNew } = order;
  try {
    const params = { id: iteration.id, environmentId: environment.id };
    // The credentials are for the address that was shown.
    const body = { ...credentials, ifRunning, expectedBaseUrl: environment.baseUrl, ...(startNew && { startNew }) };
    const { warnings }: FlowDeployment = await call(flowDeployments.deploy, { params, body });
    return { warnings, steps: (await follow())?.steps ?? [] };
  } catch (error) {
    // The connection or a proxy gave up, but the deployment goes on.
    if (!hasGivenUp(error)) throw error;
    return followToEnd(error, follow, watch);
  }
}

async function followToEnd(error: unknown, follow: () => Promise<Running>, watch: LiveWatch): Promise<Outcome> {
  for (;;) {
    const running = await follow();
    if (running === null) throw error;
    if (running.state === "done") return { warnings: [], steps: running.steps };
    if (running.state === "failed") {
      const message = running.steps.find(({ state }) => state === "failed")?.text ?? "The deployment failed.";
      throw new GatewayError(502, [{ code: "upstream-failed", message }]);
    }
    await watch.wait();
  }
}

/** There was no answer of the gateway. */
const hasGivenUp = (error: unknown): boolean => error instanceof GatewayError && error.errors.length === 0;

/** Nothing was tried. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.status >= 400 && error.status < 500;
