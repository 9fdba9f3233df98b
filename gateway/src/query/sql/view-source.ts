import { type OperationNode, type RawBuilder, RawNode, sql } from "kysely";

/** Makes a table expression for a statement that names these columns, among others. */
type Build = (used: ReadonlySet<string>) => RawBuilder<unknown>;

const views = new WeakMap<OperationNode, Build>();

/**
 * A table expression that is built when its statement is complete, by what the statement names: nothing else is computed or joined.
 */
export function viewSource(build: Build): RawBuilder<unknown> {
  const view = sql`unresolved`;
  views.set(view.toOperationNode(), build);
  return view;
}

/** The names in a part of a statement, except those within views. */
export function namesIn(part: RawBuilder<unknown>): Set<string> {
  const names = new Set<string>();
  collect(part.toOperationNode(), names);
  return names;
}

/** Builds the views of a statement. Returns whether it has some. */
function collect(node: OperationNode, names: Set<string>): boolean {
  if (views.has(node)) return true;
  if (isIdentifier(node)) names.add(node.name);
  if (!RawNode.is(node)) return false;
  let hasView = false;
  for (const parameter of node.parameters) if (collect(parameter, names)) hasView = true;
  return hasView;
}

const isIdentifier = (node: OperationNode): node is OperationNode & { readonly name: string } =>
  node.kind === "IdentifierNode" && "name" in node && typeof node.name === "string";

/** The statement with its views built. The same one without views. */
export function withViews(statement: RawBuilder<unknown>): RawBuilder<unknown> {
  const names = new Set<string>();
  const node = statement.toOperationNode();
  if (!collect(node, names)) return statement;
  return builderOf(resolved(node, names));
}

function resolved(node: OperationNode, used: ReadonlySet<string>): OperationNode {
  const build = views.get(node);
  if (build !== undefined) return resolved(build(used).toOperationNode(), used);
  if (!RawNode.is(node)) return node;
  const parameters = node.parameters.map((parameter) => resolved(parameter, used));
  return parameters.every((parameter, index) => parameter === node.parameters[index])
    ? node
    : RawNode.create(node.sqlFragments, parameters);
}

/** Kysely takes whatever has a node as a part of SQL. */
const builderOf = (node: OperationNode): RawBuilder<unknown> => sql`${{ toOperationNode: () => node }}`;
