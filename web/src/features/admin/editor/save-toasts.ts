import type { Entity } from "@fairway/contract/entities";
import { toastSuccess, toastWarning } from "#ui/toast/toast.ts";
import { warningsLine, isUsable } from "../entities/entity-warnings.tsx";

/** Shows that an entity was saved, and warns when it does not work yet. */
export function toastSaved(name: string, { entity, isMerged }: { entity: Entity; isMerged: boolean }, isNew: boolean): void {
  if (isNew) toastSuccess(`${name} created`, 2000);
  else if (isMerged) toastSuccess(`${name} saved, together with someone else's changes`, 2000);
  else toastSuccess(`${name} saved`, 1200);
  const { warnings = [] } = entity;
  if (!isUsable(warnings)) toastWarning(`${name} does not work yet`, warningsLine(warnings));
}
