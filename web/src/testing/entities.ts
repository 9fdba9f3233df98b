import { entityDefinitions } from "@fairway/contract/administration";
import type { Entity, EntityRoutes } from "@fairway/contract/entities";
import type { AdministeredType } from "@fairway/contract/entity-types";
import { expect } from "vitest";
import { type Locator, page } from "vitest/browser";
import { z } from "zod";
import { Refused } from "./contract-gateway.ts";
import { gateway, openScreen } from "./open-screen.tsx";
import { clickQuickly } from "./quick-fields.ts";

type Body = Record<string, unknown>;

/** Fields the gateway generates for new entities of these types, which cannot be disabled. */
const generatedFields: Partial<Record<AdministeredType, () => Body>> = {
  users: () => ({ id: crypto.randomUUID() }),
  groups: () => ({ id: crypto.randomUUID() }),
  roles: () => ({ id: crypto.randomUUID() }),
  notices: () => ({ id: crypto.randomUUID(), createdDateMs: 0 }),
};

/** The stored entities of a type, in insertion order. */
export interface StoredEntities {
  routes: EntityRoutes;
  stored: Entity[];
}

/** Makes the gateway store entities of a type: lists, validates, saves and deletes them. */
export function serveEntities(type: AdministeredType, bodies: readonly Body[] = []): StoredEntities {
  const { idField, schema, routes: typedRoutes } = entityDefinitions[type];
  const routes: EntityRoutes = typedRoutes;
  const stored: Entity[] = [];
  const find = (id: unknown): Entity => {
    const found = stored.find((one) => one[idField] === id);
    if (!found) throw new Refused("not-found", "There is no such entity.");
    return found;
  };
  const complete = (body: Body, previous?: Entity): Entity => {
    const { version: _version, enabled = previous?.enabled ?? true, warnings, ...fields } = body as Partial<Entity>;
    const parsed = schema.safeParse({ ...generatedFields[type]?.(), ...fields });
    const [problem] = parsed.error?.issues ?? [];
    if (problem) throw new Refused("invalid-value", `${problem.path.join(".")}: ${problem.message}`, problem.path.join("."));
    return {
      ...(parsed.data as Body),
      ...(warnings ? { warnings } : {}),
      ...(generatedFields[type] ? {} : { enabled }),
      version: (previous?.version ?? 0) + 1,
    };
  };
  const replace = (before: Entity, after: Entity): Entity => {
    stored.splice(stored.indexOf(before), 1, after);
    return after;
  };
  const setEnabled = (id: string, enabled: boolean): Entity => {
    const before = find(id);
    return replace(before, { ...before, enabled, version: before.version + 1 });
  };
  for (const body of bodies) stored.push(complete(body));
  gateway.answer(routes.list, () => stored);
  gateway.answer(routes.get, ({ params }) => find(params.id));
  gateway.answer(routes.schema, () => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  gateway.answer(routes.create, ({ body }) => {
    const { warnings: _ignored, ...sent } = body;
    const created = complete(sent);
    if (stored.some((one) => one[idField] === created[idField])) throw new Refused("name-taken", "There is one already.", idField);
    stored.push(created);
    return created;
  });
  gateway.answer(routes.edit, ({ body }) => {
    const before = find(body[idField]);
    if (typeof body["version"] === "number" && body["version"] < before.version) {
      throw new Refused("stale-version", "It was changed meanwhile.");
    }
    return replace(before, complete(body, before));
  });
  gateway.answer(routes.remove, ({ params }) => {
    stored.splice(stored.indexOf(find(params.id)), 1);
    return undefined;
  });
  gateway.answer(routes.previewImport, ({ body: { entities, isReplace } }) => {
    const ids = new Map(entities.map((one, index) => [(one as Body)[idField], { one, index }]));
    const isKnown = (id: unknown): boolean => stored.some((other) => other[idField] === id);
    const issuesOf = (one: unknown) => schema.safeParse(one).error?.issues ?? [];
    const validIds = [...ids].filter(([, { one }]) => issuesOf(one).length === 0).map(([id]) => String(id));
    return {
      added: validIds.filter((id) => !isKnown(id)),
      changed: validIds.filter(isKnown),
      unchanged: [],
      removed: isReplace ? stored.map((one) => String(one[idField])).filter((id) => !ids.has(id)) : [],
      refused: [...ids].flatMap(([id, { one, index }]) => {
        const errors = issuesOf(one).map(({ message, path }) => ({ code: "invalid-value" as const, message, path: path.join(".") }));
        return errors.length === 0 ? [] : [{ index, id: typeof id === "string" ? id : null, errors }];
      }),
    };
  });
  gateway.answer(routes.import, ({ body: { entities, isReplace } }) => {
    const imported = entities.map((one) => complete(one as Body));
    const remaining = isReplace ? [] : stored.filter((one) => !imported.some((other) => other[idField] === one[idField]));
    stored.splice(0, stored.length, ...remaining, ...imported);
    return stored;
  });
  gateway.answer(routes.enable, ({ params }) => setEnabled(params.id, true));
  gateway.answer(routes.disable, ({ params }) => setEnabled(params.id, false));
  return { routes, stored };
}

/** Opens an administrators' screen and waits for it. */
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

/** Opens the menu of an entity's row and chooses an action. */
export async function chooseInRow(name: string, action: string): Promise<void> {
  await clickQuickly(page.getByRole("button", { name: `Actions: ${name}`, exact: true }));
  await clickQuickly(page.getByRole("menuitem", { name: action, exact: true }));
}

/** The JSON editor of the open dialog. */
export const jsonText = (): Locator => dialog().getByRole("textbox", { name: "JSON", exact: true });

/** Replaces the text in the JSON editor, as pasting over it does. */
export async function writeJson(value: unknown): Promise<void> {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  await jsonText().fill(text);
}
