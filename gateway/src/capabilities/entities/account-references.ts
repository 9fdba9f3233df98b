import { Refusal } from "#http/refusal.ts";
import type { Trx } from "./entity-repository.ts";

export interface Named {
  readonly id: string;
  readonly name: string;
}

interface NamedIndex {
  readonly byId: ReadonlyMap<string, Named>;
  readonly byName: ReadonlyMap<string, Named>;
}

/** Indexes per transaction. Changes are serialized, so groups and roles stay the same within one. */
const cache = new WeakMap<Trx, Map<"groups" | "roles", NamedIndex>>();

export async function allNamed(trx: Trx, table: "groups" | "roles"): Promise<NamedIndex> {
  const cached = cache.get(trx) ?? new Map<"groups" | "roles", NamedIndex>();
  cache.set(trx, cached);
  const existing = cached.get(table);
  if (existing) return existing;
  const all = await trx.selectFrom(table).select(["id", "name"]).execute();
  const index = { byId: new Map(all.map((row) => [row.id, row])), byName: new Map(all.map((row) => [row.name, row])) };
  cached.set(table, index);
  return index;
}

/** Finds groups or roles by id or else by name, without duplicates. Refuses with the path of the first missing one. */
export async function resolve(
  trx: Trx,
  table: "groups" | "roles",
  references: readonly { readonly id?: string | undefined; readonly name?: string | undefined }[],
): Promise<Named[]> {
  if (references.length === 0) return [];
  const { byId, byName } = await allNamed(trx, table);
  const found = references.map(({ id, name }, index) => {
    const match = (id === undefined ? undefined : byId.get(id)) ?? (name === undefined ? undefined : byName.get(name));
    if (match) return match;
    const path = `${table}.${index}`;
    throw new Refusal("invalid-value", `'${path}': there is no ${table === "groups" ? "group" : "role"} '${name ?? id ?? ""}'.`, { path });
  });
  return [...new Map(found.map((row) => [row.id, row])).values()];
}
