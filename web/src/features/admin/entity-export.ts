import type { Entity } from "@fairway/contract/entities";
import { downloadBlob } from "#lib/download.ts";
import { jsonParts } from "#lib/json-text.ts";
import { withoutNestedIds } from "./entity.ts";
import type { EntityKind } from "./entity-kind.ts";

/** `{type}-{yyyymd}.json`: month and day without a leading zero, slashes of the type as '-'. */
export function exportFileName(type: string, now: Date = new Date()): string {
  return `${type.replaceAll("/", "-")}-${now.getFullYear()}${now.getMonth() + 1}${now.getDate()}.json`;
}

/** Saves entities as a file that Import takes. */
export async function exportEntities({ type, opaque }: EntityKind, entities: readonly Entity[]): Promise<void> {
  const parts = await jsonParts(entities.map((one) => withoutNestedIds(one, opaque)));
  downloadBlob(new Blob(parts, { type: "application/json" }), exportFileName(type));
}
