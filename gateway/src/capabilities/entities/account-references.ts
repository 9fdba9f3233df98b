import { Refusal } from "#http/refusal.ts";
import type { Trx } from "./entity-repository.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

interface All {
  readonly byId: ReadonlyMap<string, Named>;
  readonly byName: ReadonlyMap<string, Named>;
}

/** What transactions have read: changes take turns, so that groups and roles stay as they are within one. */
const read = new WeakMap<Trx, Map<"groups" | "roles", All>>();

export async function allNamed(trx: Trx, table: "groups" | "roles"): Promise<All> {
  const known = read.get(trx) ?? new Map<"groups" | "roles", All>();
  read.set(trx, known);
  const before = known.get(table);
  if (before) return before;
  const all = await trx.selectFrom(table).select(["id", "name"]).execute();
  const found = { byId: new Map(all.map((one) => [one.id, one])), byName: new Map(all.map((one) => [one.name, one])) };
  known.set(table, found);
  return found;
}

/** The groups or roles that are named by id, else by name. Refuses naming the first that there is not. */
export async function resolve(
  trx: Trx,
  table: "groups" | "roles",
  references: readonly { readonly id?: string | undefined; readonly name?: string | undefined }[],
): Promise<Named[]> {
  if (references.length === 0) return [];
  const { byId, byName } = await allNamed(trx, table);
  const found = references.map(({ id, name }, index) => {
    const one = (id === undefined ? undefined : byId.get(id)) ?? (name === undefined ? undefined : byName.get(name));
    if (one) return one;
    const path = `${table}.${index}`;
    throw new Refusal("invalid-value", `'${path}': there is no ${table === "groups" ? "group" : "role"} '${name ?? id ?? ""}'.`, { path });
  });
  return [...new Map(found.map((one) => [one.id, one])).values()];
}
