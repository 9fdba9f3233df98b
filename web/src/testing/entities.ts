import { entityDefinitions } from "@fairway/contract/administration";
import type { Entity, EntityRoutes } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { z } from "zod";
import { Refused } from "./contract-gateway.ts";
import { gateway, openScreen } from "./open-screen.tsx";

type Body = Record<string, unknown>;

/** What the gateway adds to new entities of a type, which are never disabled. */
const given: Partial<Record<AdministeredType, () => Body>> = {
  users: () => ({ id: crypto.randomUUID() }),
  groups: () => ({ id: crypto.randomUUID() }),
  roles: () => ({ id: crypto.randomUUID() }),
  notices: () => ({ id: crypto.randomUUID(), createdDateMs: 0 }),
};

/** What the gateway keeps of a type, in the order of arrival. */
export interface KeptEntities {
  routes: EntityRoutes;
  kept: Entity[];
}

/** Lets the gateway keep entities of a type: lists, checks by the type's schema, saves and deletes them. */
export function serveEntities(type: AdministeredType, bodies: readonly Body[] = []): KeptEntities {
  const { idField, schema, routes: typedRoutes } = entityDefinitions[type];
  const routes: EntityRoutes = typedRoutes;
  const kept: Entity[] = [];
  const find = (id: unknown): Entity => {
    const found = kept.find((one) => one[idField] === id);
    if (!found) throw new Refused("not-found", "There is no such entity.");
    return found;
  };
  const complete = (body: Body, before?: Entity): Entity => {
    const { version: _version, enabled = before?.enabled ?? true, warnings, ...fields } = body as Partial<Entity>;
    const parsed = schema.safeParse({ ...given[type]?.(), ...fields });
    const [problem] = parsed.error?.issues ?? [];
    if (problem) throw new Refused("invalid-value", `${problem.path.join(".")}: ${problem.message}`, problem.path.join("."));
    return {
      ...(parsed.data as Body),
      ...(warnings ? { warnings } : {}),
      ...(given[type] ? {} : { enabled }),
      version: (before?.version ?? 0) + 1,
    };
  };
  const replace = (before: Entity, after: Entity): Entity => {
    kept.splice(kept.indexOf(before), 1, after);
    return after;
  };
  const setEnabled = (id: string, enabled: boolean): Entity => {
    const before = find(id);
    return replace(before, { ...before, enabled, version: before.version + 1 });
  };
  for (const body of bodies) kept.push(complete(body));
  gateway.answer(routes.list, () => kept);
  gateway.answer(routes.get, ({ params }) => find(params.id));
  gateway.answer(routes.schema, () => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  gateway.answer(routes.create, ({ body }) => {
    const { warnings: _ignored, ...sent } = body;
    const made = complete(sent);
    if (kept.some((one) => one[idField] === made[idField])) throw new Refused("name-taken", "There is one already.", idField);
    kept.push(made);
    return made;
  });
  gateway.answer(routes.edit, ({ body }) => {
    const before = find(body[idField]);
    if (typeof body["version"] === "number" && body["version"] < before.version) {
      throw new Refused("stale-version", "It was changed meanwhile.");
    }
    return replace(before, complete(body, before));
  });
  gateway.answer(routes.remove, ({ params }) => {
    kept.splice(kept.indexOf(find(params.id)), 1);
    return undefined;
  });
  gateway.answer(routes.previewImport, ({ body: { entities, isReplace } }) => {
    const ids = new Map(entities.map((one, index) => [(one as Body)[idField], { one, index }]));
    const isKnown = (id: unknown): boolean => kept.some((other) => other[idField] === id);
    const refusedBy = (one: unknown) => schema.safeParse(one).error?.issues ?? [];
    const fine = [...ids].filter(([, { one }]) => refusedBy(one).length === 0).map(([id]) => String(id));
    return {
      added: fine.filter((id) => !isKnown(id)),
      changed: fine.filter(isKnown),
      unchanged: [],
      removed: isReplace ? kept.map((one) => String(one[idField])).filter((id) => !ids.has(id)) : [],
      refused: [...ids].flatMap(([id, { one, index }]) => {
        const errors = refusedBy(one).map(({ message, path }) => ({ code: "invalid-value" as const, message, path: path.join(".") }));
        return errors.length === 0 ? [] : [{ index, id: typeof id === "string" ? id : null, errors }];
      }),
    };
  });
  gateway.answer(routes.import, ({ body: { entities, isReplace } }) => {
    const made = entities.map((one) => complete(one as Body));
    const stays = isReplace ? [] : kept.filter((one) => !made.some((other) => other[idField] === one[idField]));
    kept.splice(0, kept.length, ...stays, ...made);
    return kept;
  });
  gateway.answer(routes.enable, ({ params }) => setEnabled(params.id, true));
  gateway.answer(routes.disable, ({ params }) => setEnabled(params.id, false));
  return { routes, kept };
}

/** Opens one of the administrators' screens and waits for it. */
export async function openAdmin(path: string, title: string): Promise<void> {
  await openScreen(path, { roles: ["admin"] });
  await expect.element(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible();
}

export const filterField = (): Locator => page.getByRole("textbox", { name: "Filter", exact: true });
export const dialog = (): Locator => page.getByRole("dialog");
export const dialogButton = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
export const saveButton = (): Locator => dialogButton("Save");

/** The row of one entity. */
export const rowOf = (name: string): Locator => page.getByRole("grid").getByRole("row").filter({ hasText: name });

/** Opens the menu of an entity's row. */
export const openRowMenu = (name: string): Promise<void> => page.getByRole("button", { name: `Actions: ${name}`, exact: true }).click();

/** Opens it and chooses from it. */
export async function chooseInRow(name: string, action: string): Promise<void> {
  await openRowMenu(name);
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

/** The JSON editor of the open dialog. */
export const jsonText = (): Locator => dialog().getByRole("textbox", { name: "JSON", exact: true });

/** Replaces what stands in the editor, as somebody who pastes over it. */
export async function writeJson(value: unknown): Promise<void> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  await jsonText().fill(text);
}
