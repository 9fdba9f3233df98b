import type { FlowDeployment, RunningDeployment } from "@fairway/contract/flow-deployments";
import type { ErrorBody } from "@fairway/contract/errors";
import { expect } from "vitest";
import type { FakeNifi } from "#nifi/testing/fake-nifi.ts";
import { type DeploymentsApp, deploymentsApp, fakeNifi } from "./flow-deployments-app.ts";

export const opened = {} as { app: DeploymentsApp; staging: FakeNifi };

export async function openStaging(): Promise<void> {
  opened.staging = await fakeNifi();
  opened.app = await deploymentsApp();
  await opened.app.environment("staging", { baseUrl: opened.staging.url, displayName: "Staging" });
}

export const deploy = <Body = FlowDeployment>(iteration: number, environment = "staging", body?: object) =>
  opened.app.put<Body>(`/admin/flowIteration/${iteration}/deploy/${environment}`, body);

export const deployed = async (iteration: number, environment?: string): Promise<FlowDeployment> => {
  const { status, body } = await deploy(iteration, environment);
  expect(status).toBe(200);
  return body;
};

export const failure = async (iteration: number, environment?: string, body?: object) => {
  const answer = await deploy<ErrorBody>(iteration, environment, body);
  return [answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.message];
};

export const list = async (iteration: number) =>
  (await opened.app.get<FlowDeployment[]>(`/admin/flowIteration/${iteration}/deployments`)).body;

export const running = async (iteration: number, at = opened.app) =>
  (await at.get<RunningDeployment | null>(`/admin/flowIteration/${iteration}/deployments/running`)).body;

export const iteration = {
  id: 31,
  number: 1,
  requestId: 3,
  requestName: "Request 3",
  flowId: 3,
  flowName: "storm-ingest",
  group: "weather",
  format: "json" as const,
  content: "",
};
