import { setTimeout as wait } from "node:timers/promises";
import { deleteContexts } from "./clean-up.ts";
import { sampleDefinition, sampleTemplate } from "./sample-flows.ts";

/** A call of NiFi and its answer, without what differs from run to run. */
export interface Exchange {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Without parameters. */
  readonly contentType: string;
  /** JSON, or text. */
  readonly body: unknown;
}

interface Call {
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string | Blob>>;
}

const contextName = "fairway-protocol";
const name = "fairway protocol";

/** Makes the calls that the client makes, and those whose answers it has to understand, on a NiFi of version 1 without sign-in. */
export async function protocolExchanges(url: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const send = async (what: string, method: string, path: string, { body, form }: Call = {}) => {
    const data = new FormData();
    for (const [field, value] of Object.entries(form ?? {})) data.set(field, value);
    const isJson = form === undefined && body !== undefined && !(body instanceof URLSearchParams);
    const response = await fetch(`${url}/nifi-api${path}`, {
      method,
      ...(isJson && { headers: { "content-type": "application/json" } }),
      ...(form && { body: data }),
      ...(body !== undefined && { body: body instanceof URLSearchParams ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const [contentType = ""] = (response.headers.get("content-type") ?? "").split(";");
    const answer: unknown = contentType === "application/json" ? JSON.parse(text) : text;
    exchanges.push({ what, method, path: normalized(path), status: response.status, contentType, body: pruned(answer) });
    return answer as never;
  };
  const upload = (fields: Record<string, string>, file: string) => ({
    form: {
      groupName: name,
      positionX: "0",
      positionY: "0",
      clientId: "fairway",
      disconnectedNodeAcknowledged: "false",
      ...fields,
      file: new Blob([file]),
    },
  });
  const settled = async (id: string, isDone: (running: number) => boolean) => {
    for (let attempt = 0; attempt < 100; attempt++) {
      const { runningCount } = (await (await fetch(`${url}/nifi-api/process-groups/${id}`)).json()) as { runningCount: number };
      if (isDone(runningCount)) return;
      await fetch(`${url}/nifi-api/flow/process-groups/${id}/status?recursive=true`);
      await wait(100);
    }
  };
  const definition = JSON.parse(sampleDefinition.replaceAll("fw-ctx", contextName)) as { flowContents: Record<string, unknown> };
  const text = JSON.stringify(definition);
  const uploadPath = "/process-groups/root/process-groups/upload";

  await send("about", "GET", "/flow/about");
  await send("user", "GET", "/flow/current-user");
  await send("sign-in over HTTP", "POST", "/access/token", { body: new URLSearchParams({ username: "ada", password: "secret" }) });
  await send("processor types", "GET", "/flow/processor-types");
  await send("service types", "GET", "/flow/controller-service-types");
  await send("upload without a client id", "POST", uploadPath, upload({ clientId: "" }, text));
  await send("upload without a name", "POST", uploadPath, upload({ groupName: "" }, text));
  await send("upload of something else", "POST", uploadPath, upload({}, '{"a":1}'));
  await send("upload of no JSON", "POST", uploadPath, upload({}, "{a"));
  const group: { id: string } = await send("upload", "POST", uploadPath, upload({}, text));
  const path = `/process-groups/${group.id}`;
  const entity: { revision: object } = await send("group", "GET", path);
  await send("groups", "GET", "/process-groups/root/process-groups");
  await send("missing group", "GET", "/process-groups/00000000-0000-1000-0000-000000000000");
  await send("missing definition", "GET", "/process-groups/00000000-0000-1000-0000-000000000000/download");
  await send("parameter contexts", "GET", "/flow/parameter-contexts");
  await settled(group.id, () => true);
  await send("status, stopped", "GET", `/flow${path}/status?recursive=true`);
  const { processors }: { processors: { id: string; revision: object; component: { name: string } }[] } = await send(
    "processors",
    "GET",
    `${path}/processors?includeDescendantGroups=true`,
  );
  const processor = processors.find(({ component }) => component.name === "Gen");
  await send("processor", "GET", `/processors/${processor?.id}`);
  const start = { revision: processor?.revision, state: "RUNNING", disconnectedNodeAcknowledged: false };
  await send("start one", "PUT", `/processors/${processor?.id}/run-status`, { body: start });
  await send("start one with a stale revision", "PUT", `/processors/${processor?.id}/run-status`, {
    body: { ...start, revision: { version: 999, clientId: "else" } },
  });
  await send("start all", "PUT", `/flow${path}`, { body: { id: group.id, state: "RUNNING", disconnectedNodeAcknowledged: false } });
  await settled(group.id, (running) => running === 2);
  await send("status, running", "GET", `/flow${path}/status?recursive=true`);
  await send("delete while running", "DELETE", `${path}?version=2&clientId=fairway`);
  await send("stop all", "PUT", `/flow${path}`, { body: { id: group.id, state: "STOPPED", disconnectedNodeAcknowledged: false } });
  await settled(group.id, (running) => running === 0);
  await send("definition", "GET", `${path}/download`);
  const replacement = { processGroupRevision: entity.revision, disconnectedNodeAcknowledged: false, versionedFlowSnapshot: definition };
  await send("replace with a stale revision", "POST", `${path}/replace-requests`, {
    body: { ...replacement, processGroupRevision: { version: 0, clientId: "else" } },
  });
  const { request }: { request: { requestId: string } } = await send("replace", "POST", `${path}/replace-requests`, { body: replacement });
  const requestPath = `/process-groups/replace-requests/${request.requestId}`;
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = (await (await fetch(`${url}/nifi-api${requestPath}`)).json()) as { request: { complete: boolean } };
    if (answer.request.complete) break;
    await wait(100);
  }
  await send("replaced", "GET", requestPath);
  await send("forget the request", "DELETE", requestPath);
  await send("renamed group", "GET", path);
  await send("services", "GET", `/flow${path}/controller-services?includeAncestorGroups=false&includeDescendantGroups=true`);
  await send("enable services", "PUT", `/flow${path}/controller-services`, {
    body: { id: group.id, state: "ENABLED", disconnectedNodeAcknowledged: false },
  });
  await send("delete with a stale revision", "DELETE", `${path}?version=99&clientId=else`);
  const { revision }: { revision: { version: number } } = await send("group before it is deleted", "GET", path);
  await emptied(url, group.id);
  await send("delete", "DELETE", `${path}?version=${revision.version}&clientId=fairway`);
  await exchangeTemplates(send);
  await deleteContexts(url, contextName);
  return exchanges;
}

/** The data that the running flow has left. */
async function emptied(url: string, id: string): Promise<void> {
  await fetch(`${url}/nifi-api/process-groups/${id}/empty-all-connections-requests`, { method: "POST" });
  await wait(1_000);
}

async function exchangeTemplates(send: (what: string, method: string, path: string, call?: Call) => Promise<never>): Promise<void> {
  const body = {
    revision: { clientId: "fairway", version: 0 },
    disconnectedNodeAcknowledged: false,
    component: { name, position: { x: 0, y: 0 } },
  };
  const group: { id: string } = await send("create a group", "POST", "/process-groups/root/process-groups", { body });
  const path = `/process-groups/${group.id}`;
  const template = (xml: string): Call => ({
    form: { disconnectedNodeAcknowledged: "false", template: new Blob([xml], { type: "application/xml" }) },
  });
  const xml = sampleTemplate.replace("<name>t1</name>", "<name>fairway-protocol</name>");
  const uploaded: string = await send("upload a template", "POST", `${path}/templates/upload`, template(xml));
  const templateId = /<id>([^<>]+)<\/id>/.exec(uploaded)?.[1] ?? "";
  await send("upload a template again", "POST", `${path}/templates/upload`, template(xml));
  await send("upload of other XML as a template", "POST", `${path}/templates/upload`, template("<bad/>"));
  await send("upload of broken XML as a template", "POST", `${path}/templates/upload`, template("<bad"));
  const instance = { templateId, originX: 0, originY: 0, disconnectedNodeAcknowledged: false };
  await send("instantiate a template", "POST", `${path}/template-instance`, { body: instance });
  await send("definition of a template", "GET", `${path}/download`);
  await send("delete a group with a template", "DELETE", `${path}?version=1&clientId=fairway`);
  await send("delete a template", "DELETE", `/templates/${templateId}`);
  const { revision }: { revision: { version: number } } = await send("group of a template", "GET", path);
  await send("delete the group of a template", "DELETE", `${path}?version=${revision.version}&clientId=fairway`);
}

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
const replacements: readonly (readonly [RegExp, string])[] = [
  [uuid, "ID"],
  [/http:\/\/127\.0\.0\.1:\d+/g, "http://nifi"],
  [/\d\d\/\d\d\/\d{4} [\d:.]+ UTC/g, "TIME"],
  // Either one, when both are running.
  [/Cannot delete \w+\[/g, "Cannot delete TYPE["],
];
const normalized = (text: string): string => replacements.reduce((result, [pattern, by]) => result.replaceAll(pattern, by), text);

const namedLists = new Set(["processGroups", "parameterContexts", "templates"]);
/** Large or different at any time, and not read by the client. */
const leftOut = new Set(
  [
    "descriptors referencingComponents relationships boundProcessGroups contents bulletins style status description",
    "permissions operatePermissions componentRestrictionPermissions currentTime statsLastRefreshed flowFileAvailability",
    "read written input output tasks tasksDuration queued queuedCount queuedSize transferred received sent",
  ].flatMap((fields) => fields.split(" ")),
);

/** Keeps the shape of an answer: ids become `ID`, lists keep two entries, those of other users of the same NiFi are left out. */
function pruned(value: unknown, field = ""): unknown {
  if (typeof value === "string") return normalized(value);
  if (Array.isArray(value)) {
    const own = namedLists.has(field) ? value.filter((one) => /fairway[ -]protocol|"name":"src"/.test(JSON.stringify(one))) : value;
    return own
      .toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
      .slice(0, 2)
      .map((one) => pruned(one));
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !leftOut.has(key));
  return Object.fromEntries(entries.map(([key, one]) => [normalized(key), pruned(one, key)]));
}

/** NiFi lists components in any order. */
function nameOf(entry: unknown): string {
  const { name, component, processorStatusSnapshot } = Object(entry) as Partial<Record<string, { name?: string }>>;
  const found: unknown = name ?? component?.name ?? processorStatusSnapshot?.name;
  return typeof found === "string" ? found : "";
}
