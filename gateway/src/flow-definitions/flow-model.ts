import type { FlowComponentKind } from "@fairway/contract/flow-differences";

/** A value that names another component of the flow, such as the source of a connection. */
export interface FlowReference {
  readonly referenceTo: string;
  /** As stated by the flow, for components that it does not hold. */
  readonly name: string;
}

/** A sensitive value. Only its fingerprint is kept, which is keyed per process. */
export interface FlowSecret {
  readonly fingerprint: string;
  /** As NiFi stores it, so that the flow does not reveal it. */
  readonly isEncrypted: boolean;
}

export type FlowValue = string | FlowReference | FlowSecret;

/**
 * A component with everything that the flow says of it. Fields that are not set, null or an empty list are absent; a field's name
 * is `comments`, `bundle.version`, `properties.Batch Size` or similar.
 */
export interface FlowComponent {
  readonly kind: FlowComponentKind;
  /** Unique in its flow: a repeated identifier gets a suffix, which distinguishes the groups around it. */
  readonly id: string;
  /** As in the flow; empty if it has none. */
  readonly identifier: string;
  /** The process group that holds it, or the parameter context of a parameter. */
  readonly parentId: string | null;
  readonly name: string;
  readonly type: string;
  readonly fields: ReadonlyMap<string, FlowValue>;
  /** How NiFi calls fields on its screens, where it differs. */
  readonly displayNames: ReadonlyMap<string, string>;
}

/** Components by id. A parent precedes its children; the first process group is the outermost one. */
export interface ComponentFlow {
  readonly format: "json" | "xml";
  readonly components: ReadonlyMap<string, FlowComponent>;
  readonly rootId: string;
}

/** YAML is only shown as text: NiFi neither writes nor reads flows as YAML. */
export interface TextFlow {
  readonly format: "yaml";
}

export type Flow = ComponentFlow | TextFlow;

/** The values of a component that is in both flows, with equal ids; see `alignFlow`. */
interface Both {
  readonly before: FlowComponent;
  readonly after: FlowComponent;
}

/** Applied to the older flow, all changes together give the newer one. */
export type ComponentChange =
  | { readonly kind: "added"; readonly after: FlowComponent }
  | { readonly kind: "removed"; readonly before: FlowComponent }
  | ({ readonly kind: "renamed" } & Both)
  | ({ readonly kind: "moved" } & Both)
  | ({ readonly kind: "changed"; readonly field: string } & Both);

/** The name under which a change of `FlowComponent.type` is reported. */
export const typeField = "type";

export type UnreadableReason = "syntax" | "not-a-flow" | "too-complex" | "dangerous";

/** The message is a sentence that never quotes the content. */
export class FlowUnreadable extends Error {
  override readonly name = "FlowUnreadable";
  readonly reason: UnreadableReason;
  constructor(reason: UnreadableReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Deeper JSON, XML or YAML is refused before it is parsed. */
export const maxDepth = 500;
export const maxGroupDepth = 100;
export const maxComponents = 20_000;
export const maxFields = 500_000;
