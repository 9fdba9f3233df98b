import type { AdministeredType } from "@fairway/contract/entity-types";
import type { Entity } from "@fairway/contract/entities";
import type { EntityDraft } from "./entity.ts";

/** A column beside the id. */
export interface EntityColumn {
  name: string;
  /** The cell's text; default: the field of that name. */
  text?: (entity: Entity) => string;
  /** Not of the entity: found out about it beside. */
  noted?: true;
  /** Ids, files and addresses. */
  mono?: true;
  /** Digits line up at the right. */
  number?: true;
}

export type EntityAbility = "create" | "edit" | "copy" | "export" | "import" | "toggle" | "remove";

/** What only some types offer for a row. */
export type RowExtra = "descriptions" | "schema-update" | "jolt-trial" | "security-events";

/** What the generic screen knows of one type. */
export interface EntityKind extends EntityView {
  /** As it stands in the paths of the gateway. */
  type: AdministeredType;
  title: string;
  /** One of them, in the middle of a sentence. */
  noun: string;
  plural: string;
  idField: string;
  columns: readonly EntityColumn[];
  /** What a new one begins with. */
  template: EntityDraft;
}

/** How a type is shown. What is left out follows from its schema. */
export interface EntityView {
  /** What people call one by, where its id says nothing. */
  nameField?: string;
  /** The gateway gives the id: a new one has none. */
  givenId?: true;
  columns?: readonly EntityColumn[];
  /** What this screen does not offer. */
  without?: readonly EntityAbility[];
  /** Fields whose text is somebody else's: nothing inside them is an id of ours. */
  opaque?: readonly string[];
  /** What a new one begins with. */
  template?: EntityDraft;
  /** Edited by a form of its own in place of the JSON editor. */
  form?: "user" | "group" | "notice";
  extras?: readonly RowExtra[];
  /** Whether a new one can be made of files. */
  fromData?: true;
  /** The title of a refused save. */
  saveFailed?: string;
}

export const can = (kind: EntityKind, ability: EntityAbility): boolean => !kind.without?.includes(ability);

/** What an entity is called in titles and messages. */
export function callNameOf(kind: EntityKind, entity: EntityDraft): string {
  return plainText(entity[kind.nameField ?? kind.idField]) || kind.noun;
}

/** The cell's text of a column. */
export function cellText(column: EntityColumn, entity: Entity): string {
  return column.text ? column.text(entity) : plainText(entity[column.name]);
}

/** Any value in one line. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  const { roleName, name } = value as { roleName?: unknown; name?: unknown };
  return typeof roleName === "string" ? roleName : typeof name === "string" ? name : JSON.stringify(value);
}
