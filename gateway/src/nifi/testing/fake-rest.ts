import { randomUUID } from "node:crypto";
import { type FakeComponent, type FakeFields, stringIn } from "./fake-flow.ts";
import { type FakeGroupState, type FakeReplaceRequest, FakeRefusal, type FakeState } from "./fake-state.ts";
import { childText, contentsOf, namesIn, parseTemplate } from "./fake-template.ts";

export interface FakeCall {
  /** Of the fake. */
  readonly origin: string;
  readonly method: string;
  /** Below `/nifi-api`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer<ArrayBuffer>;
  /** The user, or `anonymous`. */
  readonly identity: string;
}

export interface FakeAnswer {
  readonly status: number;
  readonly type?: "application/xml" | "text/plain";
  readonly body: unknown;
}

type Handler = (state: FakeState, call: FakeCall, ...ids: string[]) => FakeAnswer | Promise<FakeAnswer>;

const ok = (body: unknown, status = 200): FakeAnswer => ({ status, body });
const routes: { readonly method: string; readonly segments: readonly string[]; readonly handler: Handler }[] = [];
const route = (method: string, path: string, handler: Handler): void => {
  routes.push({ method, segments: path.split("/"), handler });
};

/** The answer of NiFi; refusals are answered as plain text, like NiFi's. */
export async function answerOf(state: FakeState, call: FakeCall): Promise<FakeAnswer> {
  try {
    const given = call.path.split("/");
    const found = routes.find(({ method, segments }) => method === call.method && matches(segments, given));
    if (found) return await found.handler(state, call, ...given.filter((_, at) => found.segments[at] === ":id"));
  } catch (error) {
    if (error instanceof FakeRefusal) return { status: error.status, type: "text/plain", body: error.message };
    throw error;
  }
  return { status: 404, type: "text/plain", body: "The specified resource could not be found." };
}

const matches = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.length === given.length && segments.every((segment, at) => segment === given[at] || (segment === ":id" && given[at] !== "root"));

route("GET", "/flow/about", ({ version }) => ok({ about: { title: "NiFi", version, timezone: "UTC", buildTag: `nifi-${version}` } }));
route("GET", "/flow/current-user", (_, { identity }) => ok({ identity, anonymous: identity === "anonymous" }));
route("GET", "/flow/processor-types", (state) => ok({ processorTypes: [...state.processorTypes].map((type) => ({ type })) }));
route("GET", "/flow/controller-service-types", (state) =>
  ok({ controllerServiceTypes: [...state.serviceTypes].map((type) => ({ type })) }),
);
route("GET", "/flow/parameter-contexts", ({ contexts }) =>
  ok({
    parameterContexts: contexts.map(({ id, name, parameters }) => ({
      id,
      revision: { version: 0 },
      component: { id, name, parameters: parameters.map((parameter) => ({ canWrite: true, parameter })) },
    })),
  }),
);
route("DELETE", "/parameter-contexts/:id", (state, _, id = "") => {
  const at = state.contexts.findIndex((one) => one.id === id);
  if (at === -1) throw new FakeRefusal(404, `Unable to locate parameter context with id '${id}'.`);
  const [context] = state.contexts.splice(at, 1);
  return ok({ id, component: { name: context?.name } });
});
route("GET", "/process-groups/root/process-groups", (state) =>
  ok({ processGroups: [...state.groups.values()].map((one) => entityOf(state, one)) }),
);

route("POST", "/process-groups/root/process-groups", (state, call) => {
  const { revision, component } = json(call) as {
    revision: { clientId?: string };
    component: { name: string; position: { x: number; y: number } };
  };
  return ok(entityOf(state, state.addGroup(component.name, { clientId: revision.clientId, position: component.position })), 201);
});

route("POST", "/process-groups/root/process-groups/upload", async (state, call) => {
  const form = await formOf(call);
  const field = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  if (field("groupName") === "") throw new FakeRefusal(400, "The process group name is required.");
  if (field("clientId") === "") throw new FakeRefusal(400, "The client id must be specified");
  const definition = parsed(await textOf(form, "file"));
  if (definition === undefined) throw new FakeRefusal(400, "Deserialization of uploaded JSON failed");
  requireFlow(definition);
  const position = { x: Number(field("positionX")), y: Number(field("positionY")) };
  return ok(entityOf(state, state.addGroup(field("groupName"), { clientId: field("clientId"), position, definition })), 201);
});

route("GET", "/process-groups/:id", (state, _, id = "") => ok(entityOf(state, state.group(id))));
route("GET", "/process-groups/:id/download", (state, _, id = "") => ok(state.definitionOf(state.group(id))));

route("GET", "/process-groups/:id/processors", (state, _, id = "") => {
  const group = state.group(id);
  const processors = group.contents.components.filter(({ kind }) => kind === "processor");
  return ok({
    processors: processors.map((one) => {
      const entity = componentEntity(state, group, one);
      return Object.assign(entity, { component: Object.assign(entity.component, { config: configOf(one) }) });
    }),
  });
});

route("PUT", "/process-groups/:id", (state, call, id = "") => {
  const group = state.group(id);
  const { revision, component } = json(call) as {
    revision: FakeFields;
    component: { name?: string; parameterContext?: { id: string | null } };
  };
  state.requireRevision(group, revision);
  if (component.name !== undefined) group.name = component.name;
  if (component.parameterContext) group.context = state.contexts.find((one) => one.id === component.parameterContext?.id);
  group.version += 1;
  return ok(entityOf(state, group));
});

route("DELETE", "/process-groups/:id", (state, { query }, id = "") => {
  const group = state.group(id);
  state.requireRevision(group, { version: query.get("version"), clientId: query.get("clientId") ?? undefined });
  const { revision: _, ...entity } = entityOf(state, group);
  state.delete(group);
  return ok(entity);
});

route("POST", "/process-groups/:id/replace-requests", (state, call, id = "") => {
  const group = state.group(id);
  const { processGroupRevision, versionedFlowSnapshot } = json(call) as {
    processGroupRevision: FakeFields;
    versionedFlowSnapshot: FakeFields;
  };
  state.requireRevision(group, processGroupRevision);
  requireFlow(versionedFlowSnapshot);
  return ok(replaceEntity(group, state.replace(group, versionedFlowSnapshot)));
});
route("GET", "/process-groups/replace-requests/:id", (state, _, id = "") => {
  const request = requireRequest(state, id);
  request.complete = true;
  return ok(replaceEntity(state.group(request.processGroupId), request));
});
route("DELETE", "/process-groups/replace-requests/:id", (state, _, id = "") => {
  const request = requireRequest(state, id);
  state.replaceRequests.delete(id);
  return ok(replaceEntity(state.group(request.processGroupId), request));
});

route("POST", "/process-groups/:id/empty-all-connections-requests", (state, _, id = "") => {
  for (const connection of state.group(id).contents.connections) connection.queued = 0;
  return ok({ dropRequest: { id: randomUUID(), finished: true } }, 202);
});

route("PUT", "/flow/process-groups/:id", (state, call, id = "") => {
  const { state: wanted } = json(call) as { state: string };
  state.schedule(state.group(id), wanted === "RUNNING");
  return ok({ id, state: wanted });
});

route("GET", "/flow/process-groups/:id/status", (state, _, id = "") => {
  const group = state.group(id);
  group.contents.work();
  const answer = ok({ processGroupStatus: { id, name: group.name, aggregateSnapshot: statusOf(state, group) }, canRead: true });
  for (const one of group.contents.components) if (one.validatingReads > 0) one.validatingReads -= 1;
  return answer;
});

route("GET", "/flow/process-groups/root/controller-services", () => ok({ controllerServices: [] }));
route("GET", "/flow/process-groups/:id/controller-services", (state, _, id = "") => {
  const group = state.group(id);
  const services = group.contents.components.filter(({ kind }) => kind === "service");
  return ok({ controllerServices: services.map((one) => serviceEntity(state, group, one)) });
});
route("PUT", "/flow/process-groups/:id/controller-services", (state, call, id = "") => {
  const { state: wanted } = json(call) as { state: string };
  state.enableServices(state.group(id), wanted === "ENABLED");
  return ok({ id, state: wanted });
});

for (const [path, kind] of [
  ["processors", "processor"],
  ["input-ports", "input-port"],
  ["output-ports", "output-port"],
] as const) {
  route("GET", `/${path}/:id`, (state, _, id = "") => {
    const { group, component } = state.component(kind, id);
    return ok(componentEntity(state, group, component));
  });
  route("PUT", `/${path}/:id/run-status`, (state, call, id = "") => {
    const { group, component } = state.component(kind, id);
    const { revision, state: wanted } = json(call) as { revision: FakeFields; state: string };
    requireComponentRevision(component, revision);
    const [error] = state.validationErrors(group, component);
    if (wanted === "RUNNING" && error !== undefined) throw new FakeRefusal(409, `Processor with ID ${id} is not valid: ${error}`);
    component.isOn = wanted === "RUNNING";
    component.version += 1;
    return ok(componentEntity(state, group, component));
  });
}

route("PUT", "/processors/:id", (state, call, id = "") => {
  const { group, component } = state.component("processor", id);
  const { revision, component: changes } = json(call) as { revision: FakeFields; component: { config?: { schedulingPeriod?: string } } };
  requireComponentRevision(component, revision);
  if (component.isOn) throw new FakeRefusal(409, `${id} is not stopped.`);
  Object.assign(component.fields, changes.config);
  component.version += 1;
  return ok(componentEntity(state, group, component));
});

route("POST", "/process-groups/:id/templates/upload", async (state, call, id = "") => {
  requireTemplates(state);
  const group = state.group(id);
  const element = parseTemplate(await textOf(await formOf(call), "template"));
  // NiFi answers this with the status 200.
  if (element === undefined) {
    return {
      status: 200,
      type: "application/xml",
      body: '<errorResponse status="400" statusText="The specified template is not in a valid format."/>',
    };
  }
  const name = childText(element, "name");
  if (element.name !== "template" || name === "") throw new FakeRefusal(400, "Template details must be specified.");
  if ([...state.templates.values()].some((one) => one.name === name))
    throw new FakeRefusal(409, `A template named '${name}' already exists.`);
  const templateId = randomUUID();
  state.templates.set(templateId, { id: templateId, name, groupId: group.id, contents: contentsOf(element) });
  const body = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><templateEntity><template encoding-version="1.3"><description></description><groupId>${group.id}</groupId><id>${templateId}</id><name>${name}</name><timestamp>01/02/2026 10:00:00 UTC</timestamp><uri>${call.origin}/nifi-api/templates/${templateId}</uri></template></templateEntity>`;
  return { status: 201, type: "application/xml", body };
});
route("POST", "/process-groups/:id/template-instance", (state, call, id = "") => {
  requireTemplates(state);
  const group = state.group(id);
  const template = state.templates.get(stringIn(json(call) as FakeFields, "templateId"));
  if (template === undefined) throw new FakeRefusal(404, "Unable to locate template with id.");
  group.contents.replace(template.contents);
  return ok({ flow: { processGroups: namesIn(template.contents).map((name) => ({ component: { name } })) } }, 201);
});
route("DELETE", "/templates/:id", (state, _, id = "") => {
  requireTemplates(state);
  if (!state.templates.delete(id)) throw new FakeRefusal(404, `Unable to locate template with id '${id}'.`);
  return ok({});
});

route("GET", "/flow/templates", (state) => {
  requireTemplates(state);
  return ok({ templates: [...state.templates.values()].map(({ id, name, groupId }) => ({ id, template: { id, groupId, name } })) });
});

function requireComponentRevision({ id, version }: FakeComponent, revision: FakeFields): void {
  if (revision["version"] === version) return;
  throw new FakeRefusal(
    400,
    `[${String(revision["version"])}, ${stringIn(revision, "clientId")}, ${id}] is not the most up-to-date revision. This component appears to have been modified`,
  );
}

function requireTemplates(state: FakeState): void {
  if (!state.hasTemplates) throw new FakeRefusal(404, "The specified resource could not be found.");
}

function requireFlow(definition: FakeFields): void {
  if (typeof definition["flowContents"] === "object") return;
  throw new FakeRefusal(500, "An unexpected error has occurred. Please check the logs for additional details.");
}

function requireRequest(state: FakeState, id: string): FakeReplaceRequest {
  const request = state.replaceRequests.get(id);
  if (request === undefined) throw new FakeRefusal(404, `Could not find a Request with identifier ${id}`);
  return request;
}

const replaceEntity = (group: FakeGroupState, { requestId, processGroupId, complete, failureReason }: FakeReplaceRequest) => ({
  processGroupRevision: revisionOf(group),
  request: {
    requestId,
    processGroupId,
    complete,
    ...(failureReason === undefined ? {} : { failureReason }),
    percentCompleted: failureReason === undefined ? (complete ? 100 : 40) : 80,
    state: complete ? "Complete" : "Updating Flow",
  },
});

const revisionOf = ({ version, clientId }: { version: number; clientId: string | undefined }) => ({
  ...(clientId === undefined ? {} : { clientId }),
  version,
});

function entityOf(state: FakeState, group: FakeGroupState) {
  const { id, name, context, position } = group;
  const runnables = group.contents.components.filter(({ kind }) => kind !== "service");
  const count = (wanted: string) => runnables.filter((one) => runStatus(state, group, one) === wanted).length;
  return {
    revision: revisionOf(group),
    id,
    position,
    permissions: { canRead: true, canWrite: true },
    component: {
      id,
      parentGroupId: state.rootId,
      position,
      name,
      ...(context ? { parameterContext: { id: context.id, component: { id: context.id, name: context.name } } } : {}),
    },
    runningCount: count("Running"),
    stoppedCount: count("Stopped") + count("Validating"),
    invalidCount: count("Invalid"),
    disabledCount: count("Disabled"),
  };
}

function runStatus(state: FakeState, group: FakeGroupState, component: FakeComponent): string {
  if (component.isDisabled) return "Disabled";
  if (component.isOn) return "Running";
  if (component.validatingReads > 0) return "Validating";
  return state.validationErrors(group, component).length > 0 ? "Invalid" : "Stopped";
}

function statusOf(state: FakeState, group: FakeGroupState) {
  const { components, connections, queued } = group.contents;
  const snapshot = (one: FakeComponent) => ({
    id: one.id,
    groupId: one.groupId,
    name: one.name,
    ...(one.kind === "processor" ? { type: one.type.slice(one.type.lastIndexOf(".") + 1) } : {}),
    runStatus: runStatus(state, group, one),
    activeThreadCount: 0,
  });
  const ports = (kind: FakeComponent["kind"]) =>
    components.filter((one) => one.kind === kind).map((one) => ({ id: one.id, portStatusSnapshot: snapshot(one), canRead: true }));
  return {
    id: group.id,
    name: group.name,
    connectionStatusSnapshots: connections.map((one) => ({
      id: one.id,
      connectionStatusSnapshot: { id: one.id, groupId: group.id, flowFilesQueued: one.queued },
      canRead: true,
    })),
    // Components of inner groups are listed here as well; the portal reads all levels alike.
    processorStatusSnapshots: components
      .filter(({ kind }) => kind === "processor")
      .map((one) => ({ id: one.id, processorStatusSnapshot: snapshot(one), canRead: true })),
    processGroupStatusSnapshots: [],
    inputPortStatusSnapshots: ports("input-port"),
    outputPortStatusSnapshots: ports("output-port"),
    flowFilesQueued: queued,
    activeThreadCount: 0,
  };
}

function componentEntity(state: FakeState, group: FakeGroupState, component: FakeComponent) {
  const errors = state.validationErrors(group, component);
  return {
    revision: revisionOf(component),
    id: component.id,
    component: {
      id: component.id,
      parentGroupId: component.groupId,
      name: component.name,
      type: component.type,
      state: component.isOn ? "RUNNING" : "STOPPED",
      validationStatus: errors.length > 0 ? "INVALID" : "VALID",
      ...(errors.length > 0 ? { validationErrors: errors } : {}),
    },
  };
}

/** Sensitive values are masked. */
function configOf({ fields, secrets }: FakeComponent) {
  const properties = {
    ...(fields["properties"] as FakeFields | undefined),
    ...Object.fromEntries([...secrets].map((name) => [name, "********"])),
  };
  const descriptors = Object.keys(properties).map((name) => [name, { name, sensitive: secrets.has(name) }]);
  return { properties, descriptors: Object.fromEntries(descriptors) as FakeFields };
}

function serviceEntity(state: FakeState, group: FakeGroupState, service: FakeComponent) {
  const { revision, id, component } = componentEntity(state, group, service);
  const referencingComponents = state.referencesTo(group, service).map((one) => ({ id: one.id, component: { name: one.name } }));
  return {
    revision,
    id,
    component: { ...component, ...configOf(service), state: service.isOn ? "ENABLED" : "DISABLED", referencingComponents },
  };
}

function json({ body }: FakeCall): unknown {
  const value = parsed(body.toString());
  if (value === undefined) throw new FakeRefusal(400, "Message body is malformed. Unable to map into expected format.");
  return value;
}

function parsed(text: string): FakeFields | undefined {
  try {
    return JSON.parse(text) as FakeFields;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const formOf = ({ body, contentType }: FakeCall): Promise<FormData> =>
  new Response(body, { headers: { "content-type": contentType } }).formData();

async function textOf(form: FormData, field: string): Promise<string> {
  const value = form.get(field);
  return value instanceof Blob ? value.text() : (value ?? "");
}
