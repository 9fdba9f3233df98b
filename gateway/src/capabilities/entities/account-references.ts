import { Refusal } from "#http/refusal.ts";
import type { Trx } from "./keeper.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The groups or roles that are named by id, else by name. Refuses naming the first that there is not. */
export async function resolve(
  trx: Trx,
  table: "groups" | "roles",
  references: readonly { readonly id?: string | undefined; readonly name?: string | undefined }[],
): Promise<Named[]> {
  if (references.length === 0) return [];
  const all = await trx.selectFrom(table).select(["id", "name"]).execute();
  const byId = new Map(all.map((one) => [one.id, one]));
  const byName = new Map(all.map((one) => [one.name, one]));
  const found = references.map(({ id, name }, index) => {
    const one = (id === undefined ? undefined : byId.get(id)) ?? (name === undefined ? undefined : byName.get(name));
    if (one) return one;
    const path = `${table}.${index}`;
    throw new Refusal("invalid-value", `'${path}': there is no ${table === "groups" ? "group" : "role"} '${name ?? id ?? ""}'.`, { path });
  });
  return [...new Map(found.map((one) => [one.id, one])).values()];
}
