import type { Entity } from "@fairway/contract/entities";
import { toastSuccess, toastWarning } from "#ui/toast.ts";
import { warningsLine, worksAnyway } from "./entity-warnings.tsx";

/** Says that something was saved, and that it does not work yet where that is so. */
export function sayWhatWasSaved(name: string, { entity, isMerged }: { entity: Entity; isMerged: boolean }, isNew: boolean): void {
  if (isNew) toastSuccess(`${name} created`, 2000);
  else if (isMerged) toastSuccess(`${name} saved, together with what somebody else changed`, 2000);
  else toastSuccess(`${name} saved`, 1200);
  const { warnings = [] } = entity;
  if (!worksAnyway(warnings)) toastWarning(`${name} does not work yet`, warningsLine(warnings));
}
