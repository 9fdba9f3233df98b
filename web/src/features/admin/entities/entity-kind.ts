import type { AdministeredType } from "@fairway/contract/entity-types";
import type { Entity } from "@fairway/contract/entities";
import type { EntityDraft } from "./entity.ts";

/** A column other than the id. */
export interface EntityColumn {
  name: string;
  /** The cell's text; defaults to the field of that name. */
  text?: (entity: Entity) => string;
  /** Not a field of the entity: its value is fetched separately. */
  isSeparate?: true;
  /** Shown only if a row has a text. */
  isHiddenIfEmpty?: true;
  /** Monospace, for ids, files and addresses. */
  mono?: true;
  /** A path: where it does not fit, its start is left out, because paths differ at their ends. */
  isPath?: true;
  /** Right-aligned. */
  number?: true;
}

export type EntityAction = "create" | "edit" | "copy" | "export" | "import" | "toggle" | "remove";

/** Row actions that only some types have. */
export type RowExtra =
  | "form"
  | "access"
  | "descriptions"
  | "schema-update"
  | "reading"
  | "jolt-trial"
  | "open-fileset"
  | "security-events"
  | "provider-link"
  | "doc-files";

/** Everything that the generic screen needs to know about a type. */
export interface EntityKind extends EntityView {
  /** As in the API paths. */
  type: AdministeredType;
  title: string;
  /** Singular, for use within a sentence. */
  noun: string;
  plural: string;
  idField: string;
  columns: readonly EntityColumn[];
  /** The initial content of a new entity. */
  template: EntityDraft;
}

/** How a type is shown. Anything omitted follows from its schema. */
export interface EntityView {
  /** The field that people know an entity by, when its id is meaningless to them. */
  nameField?: string;
  /** The gateway assigns the id. */
  hasGeneratedId?: true;
  columns?: readonly EntityColumn[];
  /** Actions that this screen does not offer. */
  disabledActions?: readonly EntityAction[];
  /** Fields with foreign content, where nested `id` properties must be kept. */
  opaque?: readonly string[];
  /** The initial content of a new entity. */
  template?: EntityDraft;
  /** Edited by a form instead of the JSON editor. */
  form?: "user" | "group" | "notice";
  extras?: readonly RowExtra[];
  /** Whether an entity can be created from data files. */
  fromData?: true;
  /** Purpose of the type, in a sentence. Shown while there is no entity. */
  purpose?: string;
  /** The title of a refused save. */
  saveFailed?: string;
}

export const can = (kind: EntityKind, action: EntityAction): boolean => !kind.disabledActions?.includes(action);

/** The entity's name in titles and messages. */
export function displayNameOf(kind: EntityKind, entity: EntityDraft): string {
  return plainText(entity[kind.nameField ?? kind.idField]) || kind.noun;
}

/** The text of a cell. */
export function cellText(column: EntityColumn, entity: Entity): string {
  return column.text ? column.text(entity) : plainText(entity[column.name]);
}

/** Formats any value on one line. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(plainText).join(", ");
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  const { roleName, name } = value as { roleName?: unknown; name?: unknown };
  return typeof roleName === "string" ? roleName : typeof name === "string" ? name : JSON.stringify(value);
}
