import { entityDefinitions } from "@fairway/contract/administration";
import type { BulkResult, Entity, EntityRoutes, ImportPreview } from "@fairway/contract/entities";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { loadUiConfig } from "#lib/gateway/portal-settings.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { type EntityDraft, idOf } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";

/** Every type has the same calls under its own path. */
export const routesOf = ({ type }: Pick<EntityKind, "type">): EntityRoutes => entityDefinitions[type].routes;

/** All entities of a type. Refetched on window focus because other users may have changed them. */
export const entitiesQuery = (kind: Pick<EntityKind, "type">) =>
  queryOptions({
    queryKey: ["admin", kind.type],
    queryFn: ({ signal }) => call(routesOf(kind).list, {}, { signal }),
    refetchOnWindowFocus: "always",
    staleTime: 0,
    structuralSharing: false,
  });

/** Applies a write's response to the cached list, which may be too large to refetch after every write. */
function updateList(kind: EntityKind, change: (before: Entity[]) => Entity[]): void {
  const { queryKey } = entitiesQuery(kind);
  void queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.setQueryData(queryKey, (before) => before && change(before));
  reloadUiConfig(kind);
}

/** The configuration includes the titles of this page. */
function reloadUiConfig({ type }: EntityKind): void {
  if (type === "config") void loadUiConfig();
}

function upsertIntoList(kind: EntityKind, saved: Entity): Entity {
  const id = idOf(saved, kind.idField);
  updateList(kind, (before) => {
    const index = before.findIndex((entity) => idOf(entity, kind.idField) === id);
    return index < 0 ? [...before, saved] : before.with(index, saved);
  });
  return saved;
}

/** Fetches the stored version of an entity. */
export const fetchEntity = async (kind: EntityKind, id: string, signal?: AbortSignal): Promise<Entity> =>
  upsertIntoList(kind, await call(routesOf(kind).get, { params: { id } }, signal ? { signal } : {}));

export const createEntity = async (kind: EntityKind, body: EntityDraft): Promise<Entity> =>
  upsertIntoList(kind, await call(routesOf(kind).create, { body }));

/** Refused with `stale-version` when the body's version is no longer the stored one. */
export const editEntity = async (kind: EntityKind, body: EntityDraft): Promise<Entity> =>
  upsertIntoList(kind, await call(routesOf(kind).edit, { body }));

export async function removeEntity(kind: EntityKind, id: string): Promise<void> {
  await call(routesOf(kind).remove, { params: { id } });
  updateList(kind, (before) => before.filter((entity) => idOf(entity, kind.idField) !== id));
}

export const setEntityEnabled = async (kind: EntityKind, id: string, enabled: boolean): Promise<Entity> =>
  upsertIntoList(kind, await call(enabled ? routesOf(kind).enable : routesOf(kind).disable, { params: { id } }));

/** Changes several entities independently, then refetches the list. */
export async function changeEntities(kind: EntityKind, ids: string[], action: "enable" | "disable" | "delete"): Promise<BulkResult> {
  const result = await call(routesOf(kind).bulk, { body: { ids, action } });
  reloadUiConfig(kind);
  await queryClient.invalidateQueries({ ...entitiesQuery(kind), exact: true });
  return result;
}

export const previewImport = (kind: EntityKind, entities: unknown[], isReplace: boolean, signal: AbortSignal): Promise<ImportPreview> =>
  call(routesOf(kind).previewImport, { body: { entities, isReplace } }, { signal });

export async function importEntities(kind: EntityKind, entities: unknown[], isReplace: boolean): Promise<void> {
  const imported = await call(routesOf(kind).import, { body: { entities, isReplace } });
  queryClient.setQueryData(entitiesQuery(kind).queryKey, imported);
  reloadUiConfig(kind);
}

/** Saves the state of a revision as the current one. */
export const restoreRevision = async (kind: EntityKind, id: string, revision: number): Promise<Entity> =>
  upsertIntoList(kind, await call(routesOf(kind).restore, { params: { id, revision } }));

/** Refetches the list. */
export const refetchEntities = (kind: Pick<EntityKind, "type">): Promise<Entity[]> =>
  queryClient.fetchQuery({ ...entitiesQuery(kind), staleTime: 0 });
