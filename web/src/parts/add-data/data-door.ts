import { useQuery } from "@tanstack/react-query";
import { ownDataQuery } from "#parts/own-datasets/queries.ts";
import { fullText } from "#parts/own-datasets/room-text.ts";

/** `hidden`: nobody may bring data, or it is not known yet. `refused` and `full` say why not. */
export type DataDoor = { readonly kind: "hidden" | "open" } | { readonly kind: "refused" | "full"; readonly reason: string };

export const notAllowedText = "You may not bring data of your own. Ask an administrator for the role 'data-upload'.";

/** Whether the user may bring data. */
export function useDataDoor(): DataDoor {
  const { data } = useQuery(ownDataQuery);
  if (data === undefined || data.who === "nobody") return { kind: "hidden" };
  if (!data.mayImport) return { kind: "refused", reason: notAllowedText };
  const full = fullText(data.room);
  return full === null ? { kind: "open" } : { kind: "full", reason: full };
}
