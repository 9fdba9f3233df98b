import { recordOf } from "@fairway/contract/records";
import { z } from "zod";
import { plainText } from "./plain-text.ts";

// The parts of NiFi's answers that the portal reads. Components that the NiFi user may not see come without `component`.

export const about = z.object({
  about: z.object({
    version: z
      .string()
      .max(100)
      .transform((version) => plainText(version)),
  }),
});

export const currentUser = z.object({ identity: z.string() });

const revision = z.object({ clientId: z.string().optional(), version: z.int() });

/** The portal keeps it. */
const groupId = z.string().regex(/^[\w-]{1,100}$/);

export const processGroup = z.object({
  id: groupId,
  revision,
  component: z.object({ name: z.string(), parameterContext: z.object({ id: z.string() }).nullish() }).optional(),
});
export type ProcessGroup = z.infer<typeof processGroup>;

export const processGroups = z.object({ processGroups: z.array(processGroup) });

export const componentTypes = (field: "processorTypes" | "controllerServiceTypes") =>
  z.object({ [field]: z.array(z.object({ type: z.string() })) }).transform((answer) => answer[field]?.map(({ type }) => type) ?? []);

export const parameterContexts = z.object({
  parameterContexts: z.array(
    z.object({
      id: z.string(),
      component: z.object({ name: z.string(), parameters: z.array(z.object({ parameter: z.object({ name: z.string() }) })) }).optional(),
    }),
  ),
});

const replaceRequestFields = z.object({
  requestId: z.string(),
  complete: z.boolean(),
  /** Set if NiFi has not done it, although `complete`. */
  failureReason: z.string().nullish(),
});
export const replaceRequest = z.object({ request: replaceRequestFields });

/** An entry is `{ id, xStatusSnapshot: { … } }`. */
const component = z.object({
  id: z.string(),
  name: z.string(),
  runStatus: z.string().default(""),
  activeThreadCount: z.int().default(0),
});

const processors = z.array(z.object({ processorStatusSnapshot: component })).default([]);
const ports = z.array(z.object({ portStatusSnapshot: component })).default([]);

const groupStatusFields = z.object({
  flowFilesQueued: z.int(),
  activeThreadCount: z.int(),
  processorStatusSnapshots: processors,
  inputPortStatusSnapshots: ports,
  outputPortStatusSnapshots: ports,
  get processGroupStatusSnapshots() {
    return z.array(z.object({ processGroupStatusSnapshot: groupStatusFields })).default([]);
  },
});
export type GroupStatusFields = z.infer<typeof groupStatusFields>;
export const groupStatus = z.object({ processGroupStatus: z.object({ aggregateSnapshot: groupStatusFields }) });

/** Sensitive values are masked; null = not set. */
const properties = {
  properties: recordOf(z.string(), z.string().nullable()).nullish(),
  descriptors: recordOf(z.string(), z.object({ sensitive: z.boolean().default(false) })).nullish(),
};

export const processorEntities = z.object({
  processors: z.array(
    z.object({ id: z.string(), component: z.object({ name: z.string(), config: z.object(properties).optional() }).optional() }),
  ),
});

const controllerService = z.object({
  id: z.string(),
  component: z
    .object({
      name: z.string(),
      ...properties,
      state: z.string(),
      validationStatus: z.string().default("VALID"),
      validationErrors: z.array(z.string()).nullish(),
      referencingComponents: z.array(z.unknown()).nullish(),
    })
    .optional(),
});
export type ControllerService = z.infer<typeof controllerService>;
export const controllerServices = z.object({ controllerServices: z.array(controllerService) });

/** The answer to starting or stopping a group, or to enabling its services. */
export const schedule = z.object({ id: z.string(), state: z.string() });

export const runnable = z.object({
  revision,
  component: z.object({ validationErrors: z.array(z.string()).nullish() }).optional(),
});

export const templateInstance = z.object({ flow: z.unknown() });
