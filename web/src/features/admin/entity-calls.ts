import { entityDefinitions } from "@fairway/contract/administration";
import type { BulkResult, Entity, EntityRoutes, ImportPreview } from "@fairway/contract/entities";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { loadUiConfig } from "#lib/portal-settings.ts";
import { queryClient } from "#lib/query-client.ts";
import { type EntityDraft, idOf } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";

/** The calls are the same for every type; each type has its own path. */
export const routesOf = ({ type }: Pick<EntityKind, "type">): EntityRoutes => entityDefinitions[type].routes;

/** All entities of a type. Asked for again where the window comes back: others work here, too. */
export const entitiesQuery = (kind: Pick<EntityKind, "type">) =>
  queryOptions({
    queryKey: ["admin", kind.type],
    queryFn: ({ signal }) => call(routesOf(kind).list, {}, { signal }),
    refetchOnWindowFocus: "always",
    staleTime: 0,
    structuralSharing: false,
  });

/** Every write puts its answer into the list, so that the screen shows it without asking for thousands again. */
function changeList(kind: EntityKind, change: (before: Entity[]) => Entity[]): void {
  const { queryKey } = entitiesQuery(kind);
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, (before) => before && change(before));
  takeEffect(kind);
}

/** A changed configuration names this page, too. */
function takeEffect({ type }: EntityKind): void {
  if (type === "config") void loadUiConfig();
}

function putIntoList(kind: EntityKind, saved: Entity): Entity {
  const id = idOf(saved, kind.idField);
  changeList(kind, (before) => {
    const at = before.findIndex((one) => idOf(one, kind.idField) === id);
    return at < 0 ? [...before, saved] : before.with(at, saved);
  });
  return saved;
}

/** One entity as it stands now. */
export const freshEntity = async (kind: EntityKind, id: string, signal?: AbortSignal): Promise<Entity> =>
  putIntoList(kind, await call(routesOf(kind).get, { params: { id } }, signal ? { signal } : {}));

export const createEntity = async (kind: EntityKind, body: EntityDraft): Promise<Entity> =>
  putIntoList(kind, await call(routesOf(kind).create, { body }));

/** With a version: refused with `stale-version` where somebody else saved since. */
export const editEntity = async (kind: EntityKind, body: EntityDraft): Promise<Entity> =>
  putIntoList(kind, await call(routesOf(kind).edit, { body }));

export async function removeEntity(kind: EntityKind, id: string): Promise<void> {
  await call(routesOf(kind).remove, { params: { id } });
  changeList(kind, (before) => before.filter((one) => idOf(one, kind.idField) !== id));
}

export const setEntityEnabled = async (kind: EntityKind, id: string, enabled: boolean): Promise<Entity> =>
  putIntoList(kind, await call(enabled ? routesOf(kind).enable : routesOf(kind).disable, { params: { id } }));

/** Several at once, each on its own. The list is asked for again. */
export async function changeEntities(kind: EntityKind, ids: string[], action: "enable" | "disable" | "delete"): Promise<BulkResult> {
  const result = await call(routesOf(kind).bulk, { body: { ids, action } });
  takeEffect(kind);
  await queryClient.invalidateQueries({ ...entitiesQuery(kind), exact: true });
  return result;
}

export const previewImport = (kind: EntityKind, entities: unknown[], isReplace: boolean, signal: AbortSignal): Promise<ImportPreview> =>
  call(routesOf(kind).previewImport, { body: { entities, isReplace } }, { signal });

export async function importEntities(kind: EntityKind, entities: unknown[], isReplace: boolean): Promise<void> {
  const now = await call(routesOf(kind).import, { body: { entities, isReplace } });
  queryClient.setQueryData(entitiesQuery(kind).queryKey, now);
  takeEffect(kind);
}

/** Saves the state of a revision again. */
export const restoreRevision = async (kind: EntityKind, id: string, revision: number): Promise<Entity> =>
  putIntoList(kind, await call(routesOf(kind).restore, { params: { id, revision } }));

/** The list as it stands now. */
export const freshEntities = (kind: Pick<EntityKind, "type">): Promise<Entity[]> =>
  queryClient.fetchQuery({ ...entitiesQuery(kind), staleTime: 0 });
