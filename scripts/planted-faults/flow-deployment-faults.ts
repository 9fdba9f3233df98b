import type { Fault } from "./fault.ts";

const folder = "gateway/src/capabilities/flow-deployments";
const dialogs = "web/src/features/flows/deploy";

/** Deployments of flows to NiFi. */
export const flowDeploymentFaults: readonly Fault[] = [
  {
    name: "two deployments of a flow to an environment run at a time",
    file: `${folder}/runs.ts`,
    from: "if (added) return added.id;",
    to: "return added?.id ?? 0;",
    tests: [`${folder}/flow-deployments.test.ts`],
  },
  {
    name: "a gateway that was killed blocks the deployment of a flow for good",
    file: `${folder}/runs.ts`,
    from: "alive_at < now() - make_interval(secs => ${this.#staleSeconds})",
    to: "alive_at < now() - make_interval(days => ${this.#staleSeconds})",
    tests: [`${folder}/interruptions.test.ts`],
  },
  {
    name: "a deployment that runs for long loses its lock",
    file: `${folder}/deployer.ts`,
    from: "void runs.renew(run).catch(() => undefined)",
    to: "void runs.renew(-run).catch(() => undefined)",
    tests: [`${folder}/interruptions.test.ts`],
  },
  {
    name: "a failed deployment that leaves NiFi changed does not show",
    file: `${folder}/deployer.ts`,
    from: 'error.left === "changed" || error.left === "unknown"',
    to: 'error.left === "unknown"',
    tests: [`${folder}/flow-deployments.test.ts`],
  },
  {
    name: "every deployment of an iteration that ran before is a roll back",
    file: `${folder}/deployments.ts`,
    from: "here?.had_it === true && id < here.current",
    to: "here?.had_it === true",
    tests: [`${folder}/flow-deployments.test.ts`],
  },
  {
    name: "the log holds a secret that stands in the place of a field's name",
    file: "gateway/src/http/error-handler.ts",
    from: 'refusal.code === "invalid-request" ? "invalid request" : refusal.message',
    to: "refusal.message",
    tests: [`${folder}/secrets.test.ts`],
  },
  {
    name: "what a NiFi at another address has shown counts for an environment",
    file: `${folder}/environments.ts`,
    from: '.where("base_url", "=", environment.baseUrl)',
    to: '.where("base_url", "<>", "")',
    tests: [`${folder}/drift.test.ts`],
  },
  {
    name: "credentials for NiFi are sent to an address that the administrator has not seen",
    file: `${folder}/environments.ts`,
    from: "expectedBaseUrl !== undefined &&",
    to: "expectedBaseUrl === baseUrl &&",
    tests: [`${folder}/flow-deployments.test.ts`],
  },
  {
    name: "a template is compared with what NiFi made of it",
    file: `${folder}/drift-check.ts`,
    from: "deployed === undefined && isTemplate(iterationContent)",
    to: 'deployed === "" && isTemplate(iterationContent)',
    tests: [`${folder}/drift.test.ts`],
  },
  {
    name: "a disabled flow environment is deployed to",
    file: `${folder}/environments.ts`,
    from: "environments.filter(({ enabled }) => enabled)",
    to: "environments.filter(({ body }) => body.name)",
    tests: [`${folder}/flow-deployments.test.ts`],
  },
  {
    name: "everyone sees the deployment history of a flow",
    file: `${dialogs}/deployment-badge.tsx`,
    from: 'passesRole(roles, "admin") ? <AdminBadge',
    to: "roles.length >= 0 ? <AdminBadge",
    tests: [`${dialogs}/deploy.test.tsx`],
  },
  {
    name: "a flow is deployed with an empty password",
    file: `${dialogs}/credentials.ts`,
    from: 'username === "" || password === ""',
    to: 'username === ""',
    tests: [`${dialogs}/deploy.test.tsx`],
  },
  {
    name: "a deployment whose call was cut off counts as failed while it goes on",
    file: `${dialogs}/use-deploy.ts`,
    from: "if (!hasGivenUp(error)) throw error;",
    to: "throw error;",
    tests: [`${dialogs}/deploy.test.tsx`],
  },
];
