import { z } from "zod";
import { flowChange } from "./flow-differences.ts";
import { route } from "./route.ts";

const id = z.int().min(1).max(2_147_483_647);
/** Nothing has the id 0, so that a path with anything but an id is answered as one with an unknown id. */
const idInPath = z.coerce.number().pipe(id).catch(0);
const adminOnly = { role: "admin" } as const;

/** Never stored, logged or audited. */
const secret = z.string().max(100_000);

/** An environment without authentication needs neither. */
const flowCredentials = z
  .object({
    passwordCredentials: z
      .object({ username: secret.min(1), password: secret.min(1) })
      .nullable()
      .optional(),
    tokenCredentials: z
      .object({ authToken: secret.refine((token) => token.trim() !== "", "is empty.") })
      .nullable()
      .optional(),
  })
  .refine(({ passwordCredentials, tokenCredentials }) => !passwordCredentials || !tokenCredentials, {
    path: ["tokenCredentials"],
    message: "cannot be combined with passwordCredentials.",
  });
export type FlowCredentials = z.infer<typeof flowCredentials>;

/**
 * The address of the environment that the caller has seen. If the environment has another one by now, the call is refused with
 * `conflict`, `current` holds the present `baseUrl`, and nothing is sent to either. Decision 0469.
 */
const expectedBaseUrl = z.string().max(10_000).optional();

const ifRunningChoices = ["stop-and-drain", "stop", "refuse"] as const;
export type IfRunning = (typeof ifRunningChoices)[number];

const deployBody = flowCredentials
  .safeExtend({
    /**
     * Treatment of the version that runs: `stop-and-drain` stops it and waits until its queues are empty, `stop` leaves queued data in
     * place, `refuse` fails the deployment.
     */
    ifRunning: z.enum(ifRunningChoices).default("stop-and-drain"),
    /** Whether a first deployment to the environment is started; default false. Later ones run if the version before ran. */
    startNew: z.boolean().optional(),
    expectedBaseUrl,
  })
  .meta({ id: "FlowDeploymentDraft" })
  .optional();

/** A successful deployment. */
export const flowDeployment = z
  .object({
    id,
    deployedTimeMs: z.number(),
    deployedByUsername: z.string(),
    /** As it was called then. */
    deployedEnvironmentName: z.string(),
    deployedBaseUrl: z.string(),
    /** The id of the environment, which may no longer exist. */
    environmentId: z.string(),
    flowId: id,
    requestId: id,
    requestName: z.string(),
    iterationId: id,
    iterationNumber: z.int(),
    /** `rollback`: an earlier iteration than the one before, which ran there before; `promotion`: one that runs in another environment. */
    kind: z.enum(["deploy", "rollback", "promotion"]),
    /** No later deployment of the flow has replaced it in this environment. */
    isCurrent: z.boolean(),
    /** Of a current one: the last attempt to replace it that failed and could not be put back, so that something else may run now. */
    laterFailure: z.object({ failedMs: z.number(), text: z.string() }).nullable(),
    /** Warnings of the NiFi at the deployment, such as components that are not valid. */
    warnings: z.array(z.string()),
    /** The last drift check; null if there was none. */
    drift: z.object({ checkedMs: z.number(), isSame: z.boolean(), changes: z.int() }).nullable(),
  })
  .meta({ id: "FlowDeployment" });
export type FlowDeployment = z.infer<typeof flowDeployment>;

export const deploymentStep = z
  .object({
    /** Such as `Check the environment`. */
    name: z.string(),
    state: z.enum(["running", "done", "skipped", "failed"]),
    /** A sentence about the completed step, or about the failure and the state that the NiFi is in now. */
    text: z.string(),
    startedMs: z.number(),
    /** Null while it runs. */
    durationMs: z.number().nullable(),
  })
  .meta({ id: "FlowDeploymentStep" });
export type DeploymentStep = z.infer<typeof deploymentStep>;

export const runningDeployment = z
  .object({
    environmentId: z.string(),
    startedMs: z.number(),
    deployedByUsername: z.string(),
    state: z.enum(["running", "done", "failed"]),
    steps: z.array(deploymentStep),
  })
  .meta({ id: "RunningFlowDeployment" });
export type RunningDeployment = z.infer<typeof runningDeployment>;

export const deployEnvironment = z
  .object({
    id: z.string(),
    displayName: z.string(),
    baseUrl: z.string(),
    /** The version that its NiFi last showed to an administrator; null if never. */
    seen: z.object({ version: z.string(), seenMs: z.number() }).nullable(),
  })
  .meta({ id: "FlowDeployEnvironment" });
export type DeployEnvironment = z.infer<typeof deployEnvironment>;

/** The newest deployment of a flow in an environment. */
const runningFlow = z
  .object({
    deploymentId: id,
    group: z.string(),
    flowId: id,
    flowName: z.string(),
    requestId: id,
    requestName: z.string(),
    iterationId: id,
    iterationNumber: z.int(),
    deployedTimeMs: z.number(),
    deployedByUsername: z.string(),
    /** The last drift check; null if there was none. */
    drift: flowDeployment.shape.drift,
    /** When a later deployment failed and could not be put back, so that something else may run now; null if none did. */
    laterFailureMs: z.number().nullable(),
  })
  .meta({ id: "RunningFlow" });
export type RunningFlow = z.infer<typeof runningFlow>;

export const environmentOverview = z
  .object({
    id: z.string(),
    displayName: z.string(),
    /** When its NiFi last answered the portal at its present address; null if never. */
    seenMs: z.number().nullable(),
    /** By group and name. */
    flows: z.array(runningFlow),
  })
  .meta({ id: "FlowEnvironmentOverview" });
export type EnvironmentOverview = z.infer<typeof environmentOverview>;

/** More changes are counted only. */
export const driftChangesListed = 500;

export const driftReport = z
  .object({
    checkedMs: z.number(),
    isSame: z.boolean(),
    /** From what was deployed to what the NiFi holds; without layout and versions of bundles. */
    changes: z.array(flowChange).max(driftChangesListed),
    total: z.int(),
  })
  .meta({ id: "FlowDriftReport" });
export type DriftReport = z.infer<typeof driftReport>;

/**
 * Deployments of iterations to the NiFi of a flow environment. Each call that reaches a NiFi needs credentials anew. Iterations of
 * groups that are disabled, and disabled environments, are not found.
 */
export const flowDeployments = {
  environments: route({
    method: "GET",
    path: "/admin/flowDeployments/environments",
    access: adminOnly,
    summary: "The enabled flow environments, by display name.",
    response: z.array(deployEnvironment),
  }),
  overview: route({
    method: "GET",
    path: "/flowDeployments/overview",
    access: "signed-in",
    summary:
      "What runs where: the enabled flow environments, by display name, with the flows of the user's groups that were deployed there. Environments without such flows are listed for administrators only.",
    response: z.array(environmentOverview),
  }),
  deploy: route({
    method: "PUT",
    path: "/admin/flowIteration/:id/deploy/:environmentId",
    access: adminOnly,
    summary:
      "Deploy an iteration to an environment. Waits until it is done, also if the caller leaves; a failed deployment is put back to what ran before. 409 while another one of the flow runs there, if the address is not the expected one, and for a format that its NiFi does not take, such as YAML; 504 if a timeout of the environment passed.",
    params: z.object({ id: idInPath, environmentId: z.string().max(1_000) }),
    body: deployBody,
    response: flowDeployment,
    audit: "security",
  }),
  running: route({
    method: "GET",
    path: "/admin/flowIteration/:id/deployments/running",
    access: adminOnly,
    summary: "The steps of the running deployment of the iteration, or of the last one for a minute after it ended; null if there is none.",
    params: z.object({ id: idInPath }),
    response: runningDeployment.nullable(),
  }),
  list: route({
    method: "GET",
    path: "/admin/flowIteration/:id/deployments",
    access: adminOnly,
    summary: "The deployments of the iteration, newest first, at most 500.",
    params: z.object({ id: idInPath }),
    response: z.array(flowDeployment),
  }),
  ofFlow: route({
    method: "GET",
    path: "/admin/flow/:flowId/deployments",
    access: adminOnly,
    summary: "The deployments of all iterations of a flow, newest first, at most 500.",
    params: z.object({ flowId: idInPath }),
    response: z.array(flowDeployment),
  }),
  checkDrift: route({
    method: "PUT",
    path: "/admin/flowDeployment/:id/drift",
    access: adminOnly,
    summary:
      "Compare what the NiFi holds now with a deployment that no later one has replaced, by reading it with these credentials. 409 if the address is not the expected one; 504 if a timeout of the environment passed.",
    params: z.object({ id: idInPath }),
    body: flowCredentials.safeExtend({ expectedBaseUrl }).meta({ id: "FlowDriftCheck" }).optional(),
    response: driftReport,
    audit: "security",
  }),
};
