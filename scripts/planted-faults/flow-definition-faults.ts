import type { Fault } from "./fault.ts";

const folder = "gateway/src/flow-definitions";

/** What flows consist of and how they differ. */
export const flowDefinitionFaults: readonly Fault[] = [
  {
    name: "a copy of a flow has differences wherever it refers to another component",
    file: `${folder}/compare-flows.ts`,
    from: "isReference(value) ? { ...value, referenceTo: idOf(value.referenceTo) } : value",
    to: "value",
    tests: [`${folder}/compare-flows.test.ts`],
  },
  {
    name: "a component that moves to another group is not reported",
    file: `${folder}/compare-flows.ts`,
    from: "before.parentId === after.parentId ? []",
    to: "before.id === after.id ? []",
    tests: [`${folder}/compare-flows.test.ts`],
  },
  {
    name: "a value that a flow no longer sets is not reported",
    file: `${folder}/compare-flows.ts`,
    from: "new Set([...before.fields.keys(), ...after.fields.keys()])",
    to: "new Set(after.fields.keys())",
    tests: [`${folder}/compare-flows.test.ts`],
  },
  {
    name: "values of properties that NiFi calls sensitive are shown",
    file: `${folder}/build-flow.ts`,
    from: "(isSensitive || (isSecretName",
    to: "((isSecretName",
    tests: [`${folder}/describe-change.test.ts`],
  },
  {
    name: "a reference to a parameter counts as a secret",
    file: `${folder}/secrets.ts`,
    from: ".test(value.trim());",
    to: ".test(`${value} `);",
    tests: [`${folder}/describe-change.test.ts`],
  },
  {
    name: "a template may declare entities",
    file: `${folder}/read-xml-template.ts`,
    from: `parser.on("doctype", () => {`,
    to: `parser.on("comment", () => {`,
    tests: [`${folder}/read-flow.test.ts`],
  },
  {
    name: "names in a flow turn the reading direction of sentences",
    file: `${folder}/shown-text.ts`,
    from: String.raw`[\p{Default_Ignorable_Code_Point}\p{Zl}`,
    to: String.raw`[\p{Zl}`,
    tests: [`${folder}/describe-change.test.ts`],
  },
  {
    name: "what was removed from a flow is not drawn",
    file: `${folder}/draw-flow.ts`,
    from: `...gone.flatMap((one) => drawNode(one, before, "removed")),`,
    to: "",
    tests: [`${folder}/draw-flow.test.ts`],
  },
];
