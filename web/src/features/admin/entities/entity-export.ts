import type { Entity } from "@fairway/contract/entities";
import { downloadBlob } from "#lib/browser/download.ts";
import { jsonParts } from "#lib/text/json-text.ts";
import { withoutNestedIds } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";

/** `{type}-{yyyymd}.json`: month and day without leading zeros, slashes in the type replaced by '-'. */
export function exportFileName(type: string, now: Date = new Date()): string {
  return `${type.replaceAll("/", "-")}-${now.getFullYear()}${now.getMonth() + 1}${now.getDate()}.json`;
}

/** Saves entities as a file that can be imported. */
export async function exportEntities({ type, opaque }: EntityKind, entities: readonly Entity[]): Promise<void> {
  const parts = await jsonParts(entities.map((entity) => withoutNestedIds(entity, opaque)));
  downloadBlob(new Blob(parts, { type: "application/json" }), exportFileName(type));
}
