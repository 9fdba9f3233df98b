import {
  type FlowChange,
  type FlowChangeCategory,
  type FlowChangeCounts,
  type FlowFieldChange,
  flowFieldsListed,
  flowNameCharacters,
  flowValueCharacters,
} from "@fairway/contract/flow-differences";
import type { FlowDifferences } from "./compare-flows.ts";
import { categoryOf, externalServicePrefix, isPluralLabel, labelOf } from "./field-labels.ts";
import { type ComponentChange, type ComponentFlow, type FlowComponent, type FlowSecret, type FlowValue, typeField } from "./flow-model.ts";
import { groupBy, isReference } from "./match-components.ts";
import { componentNouns, nameComponent, nameEnd, nameInSentence, quoted, refOf, shortType } from "./name-component.ts";
import { cut, cutBoth, onOneLine } from "./shown-text.ts";

/** More changes are counted, but not described; those of the behavior come first. */
export const maxDescribed = 10_000;

const valueInSentence = 160;

type FieldChange = Extract<ComponentChange, { kind: "changed" }>;

/** Every change as a sentence, and how many there are. New versions of one bundle are one change. */
export function describeChanges(differences: FlowDifferences): { changes: FlowChange[]; counts: FlowChangeCounts } {
  const writer = new ChangeWriter(differences);
  const bundles = groupBy(differences.changes.filter(isBundleVersion), bundleKey);
  const merged = new Set([...bundles.values()].filter((list) => list.length > 1).flatMap((list) => list.slice(1)));
  const listed = differences.changes.filter((change) => !merged.has(change as FieldChange));
  const counts = { behavior: 0, layout: 0, versions: 0 };
  for (const change of listed) counts[categoryOfChange(change)] += 1;
  const rooms: Record<FlowChangeCategory, number> = {
    behavior: maxDescribed,
    versions: maxDescribed - counts.behavior,
    layout: maxDescribed - counts.behavior - counts.versions,
  };
  const changes = listed.flatMap((change) => {
    rooms[categoryOfChange(change)] -= 1;
    if (rooms[categoryOfChange(change)] < 0) return [];
    const together = isBundleVersion(change) ? (bundles.get(bundleKey(change)) ?? []) : [];
    return [together.length > 1 ? writer.writeBundle(together) : writer.write(change)];
  });
  return { changes, counts };
}

export const categoryOfChange = (change: ComponentChange): FlowChangeCategory =>
  change.kind === "changed" ? categoryOf(change.field) : "behavior";

const isBundleVersion = (change: ComponentChange): change is FieldChange => change.kind === "changed" && change.field === "bundle.version";

const bundleKey = ({ before, after, field }: FieldChange): string =>
  JSON.stringify([after.fields.get("bundle"), before.fields.get(field), after.fields.get(field)]);

class ChangeWriter {
  readonly #before: ComponentFlow;
  readonly #after: ComponentFlow;

  constructor({ before, after }: FlowDifferences) {
    this.#before = before;
    this.#after = after;
  }

  write(change: ComponentChange): FlowChange {
    const [component, flow] = "after" in change ? [change.after, this.#after] : [change.before, this.#before];
    return {
      kind: change.kind,
      category: categoryOfChange(change),
      component: refOf(component, flow),
      sentence: cut(this.#sentence(change), 2_000),
      fields: this.#fields(change),
    };
  }

  /** Of several components at once. */
  writeBundle(changes: readonly FieldChange[]): FlowChange {
    const [first] = changes;
    const flow = this.#after.components.get("flow");
    if (first === undefined || flow === undefined) throw new Error("a bundle without components");
    const field = this.#fieldChange(first);
    const bundle = first.after.fields.get("bundle");
    const ofBundle = typeof bundle === "string" ? ` of the bundle ${cut(bundle, valueInSentence)}` : "";
    const instead = field.before === null ? "" : ` instead of ${cut(field.before, valueInSentence)}`;
    const sentence =
      field.after === null
        ? `${changes.length} components no longer name a version${ofBundle}.`
        : `${changes.length} components use version ${cut(field.after, valueInSentence)}${ofBundle}${instead}.`;
    return { kind: "changed", category: "versions", component: refOf(flow, this.#after), sentence, fields: [field] };
  }

  #sentence(change: ComponentChange): string {
    switch (change.kind) {
      case "added":
        return this.#sentenceOfAdded(change.after);
      case "removed":
        return `The ${this.#nameWithType(change.before, this.#before)} was removed.`;
      case "renamed":
        if (change.before.name === "") return `The ${nameComponent(change.before, this.#before)} was named ${quoted(change.after.name)}.`;
        if (change.after.name === "") return `The ${nameComponent(change.before, this.#before)} lost its name.`;
        return `The ${nameComponent(change.before, this.#before)} was renamed to ${cutQuoted(change.before.name, change.after.name)}.`;
      case "moved": {
        const [from, to] = [this.#groupName(change.before, this.#before), this.#groupName(change.after, this.#after)];
        return `The ${nameComponent(change.after, this.#after)} moved from ${from} to ${to}.`;
      }
      case "changed":
        return this.#sentenceOfField(change);
      default:
        return change satisfies never;
    }
  }

  #sentenceOfAdded(component: FlowComponent): string {
    const value = component.kind === "parameter" ? component.fields.get("value") : undefined;
    const withValue =
      value === undefined
        ? ""
        : isSecret(value)
          ? " with a sensitive value"
          : ` with the value ${inSentence(this.#text(value, this.#after))}`;
    return `The ${this.#nameWithType(component, this.#after)} was added${withValue}.`;
  }

  #nameWithType(component: FlowComponent, flow: ComponentFlow): string {
    const name = nameComponent(component, flow);
    const relationships = component.kind === "connection" ? component.fields.get("selectedRelationships") : undefined;
    const detail = component.type === "" ? relationships : shortType(component.type);
    return typeof detail === "string" ? `${name} (${onOneLine(cut(detail, nameInSentence))})` : name;
  }

  #groupName({ parentId }: FlowComponent, flow: ComponentFlow): string {
    const group = parentId === null ? undefined : flow.components.get(parentId);
    return group === undefined ? "the outermost level" : `the ${nameComponent(group, flow)}`;
  }

  #sentenceOfField(change: FieldChange): string {
    const { field, before, after } = change;
    const subject = nameComponent(after, this.#after);
    const sentence = sentences.get(field)?.(subject, before.fields.get(field), after.fields.get(field));
    if (sentence !== undefined) return sentence;
    const { before: older, after: newer, label, sensitive } = this.#fieldChange(change);
    const named = field.startsWith("properties.") ? `property ${quoted(label)}` : label;
    if (field.startsWith(externalServicePrefix)) {
      return `The flow ${newer === null ? "no longer uses" : "now uses"} the controller service ${quoted(newer ?? older ?? "")} from outside of it.`;
    }
    const isPlural = isPluralLabel(field, label);
    if (sensitive) {
      const [wasSet, isSet] = [before.fields.has(field), after.fields.has(field)];
      const was = isPlural ? "were" : "was";
      return `The sensitive ${named} of the ${subject} ${wasSet && isSet ? "changed" : isSet ? `${was} set` : `${was} removed`}.`;
    }
    if (older === null) return `The ${named} of the ${subject} ${isPlural ? "were" : "was"} set to ${inSentence(newer ?? "")}.`;
    if (newer === null) {
      return `The ${named} of the ${subject} ${isPlural ? "are no longer set; they were" : "is no longer set; it was"} ${inSentence(older)}.`;
    }
    const [from, to] = cutBoth(...this.#fieldTexts(change), valueInSentence);
    if (isReference(after.fields.get(field)) && from === to)
      return `The ${named} of the ${subject} changed to another component of the same name.`;
    if (onOneLine(from) === onOneLine(to)) return `The ${named} of the ${subject} changed only in white space.`;
    return `The ${named} of the ${subject} changed from ${inSentence(from)} to ${inSentence(to)}.`;
  }

  #fields(change: ComponentChange): FlowFieldChange[] {
    switch (change.kind) {
      case "renamed":
        return [nameChange("name", cutNames(change.before.name, change.after.name))];
      case "moved":
        return [nameChange("group", [this.#groupPath(change.before, this.#before), this.#groupPath(change.after, this.#after)])];
      case "changed":
        return [this.#fieldChange(change)];
      case "added":
        return this.#whatWasSet(change.after, this.#after).map(([field, text]) => Object.assign(field, { before: null, after: text }));
      case "removed":
        return this.#whatWasSet(change.before, this.#before).map(([field, text]) => Object.assign(field, { before: text, after: null }));
      default:
        return change satisfies never;
    }
  }

  #whatWasSet(component: FlowComponent, flow: ComponentFlow): [Omit<FlowFieldChange, "before" | "after">, text: string | null][] {
    const fields = [...component.fields].filter(([field]) => categoryOf(field) === "behavior").slice(0, flowFieldsListed);
    return fields.map(([field, value]) => {
      const label = shortLabel(labelOf(field, component.displayNames.get(field)));
      const isSensitive = isSecret(value);
      return [{ field: shortLabel(field), label, sensitive: isSensitive }, isSensitive ? null : cut(this.#text(value, flow), 1_000)];
    });
  }

  #groupPath(component: FlowComponent, flow: ComponentFlow): string {
    return cut(refOf(component, flow).groupPath.join(" / "), flowValueCharacters);
  }

  #fieldChange({ field, before, after }: Omit<FieldChange, "kind">): FlowFieldChange {
    const displayName = after.displayNames.get(field) ?? before.displayNames.get(field);
    const label = { field: shortLabel(field), label: shortLabel(labelOf(field, displayName)) };
    const [older, newer] = [before.fields.get(field), after.fields.get(field)];
    if (isSecret(older) || isSecret(newer)) return { ...label, before: null, after: null, sensitive: true };
    const [cutFrom, cutTo] = cutBoth(...this.#fieldTexts({ field, before, after }), flowValueCharacters);
    const isType = field === typeField;
    return {
      ...label,
      before: older === undefined && !isType ? null : cutFrom,
      after: newer === undefined && !isType ? null : cutTo,
      sensitive: false,
    };
  }

  /** Components of the same name are distinguished by their process groups. */
  #fieldTexts({ field, before, after }: Omit<FieldChange, "kind">): [before: string, after: string] {
    const texts: [string, string] = [this.#fieldText(before, field, this.#before), this.#fieldText(after, field, this.#after)];
    if (texts[0] !== texts[1]) return texts;
    return [
      this.#textWithGroup(before.fields.get(field), texts[0], this.#before),
      this.#textWithGroup(after.fields.get(field), texts[1], this.#after),
    ];
  }

  #textWithGroup(value: FlowValue | undefined, text: string, flow: ComponentFlow): string {
    const component = isReference(value) ? flow.components.get(value.referenceTo) : undefined;
    if (component === undefined) return text;
    const groups = refOf(component, flow).groupPath;
    const name = component.name === "" ? `a ${componentNouns[component.kind]}` : quoted(component.name);
    return groups.length === 0 ? name : `${name} in ${quoted(groups.join(" / "))}`;
  }

  #fieldText(component: FlowComponent, field: string, flow: ComponentFlow): string {
    if (field === typeField) return component.type;
    if (field === "source" || field === "destination") return nameEnd(component, field, flow);
    const value = component.fields.get(field);
    return value === undefined ? "" : this.#text(value, flow);
  }

  #text(value: FlowValue, flow: ComponentFlow): string {
    if (typeof value === "string") return value;
    if (isSecret(value)) return "";
    const component = flow.components.get(value.referenceTo);
    if (component === undefined) return value.name === "" ? value.referenceTo : value.name;
    return component.name === "" ? componentNouns[component.kind] : component.name;
  }
}

const isSecret = (value: FlowValue | undefined): value is FlowSecret => typeof value === "object" && "fingerprint" in value;

const shortLabel = (text: string): string => onOneLine(cut(text, flowNameCharacters));

const cutNames = (before: string, after: string) => cutBoth(before, after, flowNameCharacters);

const cutQuoted = (before: string, after: string): string => `"${onOneLine(cutBoth(before, after, nameInSentence)[1])}"`;

const nameChange = (field: string, [before, after]: readonly [string, string]): FlowFieldChange => ({
  field,
  label: field === "group" ? "process group" : field,
  before,
  after,
  sensitive: false,
});

/** Words of NiFi and numbers as they are, everything else in quotation marks. */
function inSentence(text: string): string {
  const line = onOneLine(cut(text, valueInSentence));
  return /^(?:[A-Z][A-Z_]*|-?\d[\d.]*)$/.test(line) || line.startsWith('"') ? line : `"${line}"`;
}

type Sentence = (subject: string, before: FlowValue | undefined, after: FlowValue | undefined) => string | undefined;

/** Fields whose values say less than what they do. */
const sentences: ReadonlyMap<string, Sentence> = new Map<string, Sentence>([
  ["position", (subject) => `The ${subject} was placed elsewhere.`],
  ["bends", (subject) => `The line of the ${subject} was drawn differently.`],
  ["width", (subject) => `The width of the ${subject} changed.`],
  ["height", (subject) => `The height of the ${subject} changed.`],
  ["style", (subject) => `The colors or fonts of the ${subject} changed.`],
  ["zIndex", (subject) => `The ${subject} was drawn in front of others or behind them.`],
  ["getzIndex", (subject) => `The ${subject} was drawn in front of others or behind them.`],
  ["labelIndex", (subject) => `The name of the ${subject} was placed elsewhere.`],
  [
    "scheduledState",
    (subject, before, after) => {
      if (after === "DISABLED") return `The ${subject} was disabled.`;
      if (before === "DISABLED" && after === "ENABLED") return `The ${subject} was enabled.`;
      return after === "RUNNING" ? `The ${subject} was set to run.` : undefined;
    },
  ],
]);
