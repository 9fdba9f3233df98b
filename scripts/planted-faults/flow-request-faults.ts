import type { Fault } from "./fault.ts";

const flows = "gateway/src/capabilities/flows";

/** Flow requests on the server. */
export const flowRequestFaults: readonly Fault[] = [
  {
    name: "every signed-in user is a member of every flow group",
    file: `${flows}/membership.ts`,
    from: "filter(({ name }) => isFlowGroupMember(rolesOf(user), name))",
    to: "filter(({ name }) => name !== user.id)",
    tests: [`${flows}/flows.test.ts`],
  },
  {
    name: "a member of one flow group reads requests of another by their ids",
    file: `${flows}/requests.ts`,
    from: `    .where("request.flow_id", "=", flowId)\n    .where("flow.group_name", "=", group)\n`,
    to: `    .where("request.flow_id", "=", group === "" ? 0 : flowId)\n`,
    tests: [`${flows}/flows.test.ts`],
  },
  {
    name: "changes of a flow request at the same time both succeed",
    file: `${flows}/requests.ts`,
    from: "    .forNoKeyUpdate()\n    .execute();\n  return findRequest(trx, ref);",
    to: "    .execute();\n  return findRequest(trx, ref);",
    tests: [`${flows}/changes.test.ts`],
  },
  {
    name: "an iteration is accepted that its reviewer has not seen",
    file: `${flows}/change-handlers.ts`,
    from: "(expectedIterationId === undefined || expectedIterationId === row.last_iteration_id)",
    to: "(expectedIterationId === undefined || expectedIterationId > 0)",
    tests: [`${flows}/changes.test.ts`],
  },
  {
    name: "the size of a flow is counted in characters",
    file: `${flows}/contents.ts`,
    from: "const bytes = Buffer.byteLength(text);",
    to: "const bytes = text.length;",
    tests: [`${flows}/contents.test.ts`],
  },
  {
    name: "flows with entities of entities are stored",
    file: `${flows}/inspect-content.ts`,
    from: 'if (error.reason === "dangerous")',
    to: 'if (error.reason === "too-complex")',
    tests: [`${flows}/contents.test.ts`],
  },
  {
    name: "members delete comments of others",
    file: `${flows}/comments.ts`,
    from: "if (row.commenter_id !== user.id) throw",
    to: 'if (row.commenter_id === "") throw',
    tests: [`${flows}/comments.test.ts`],
  },
  {
    name: "members are notified of flow requests that they submit themselves",
    file: `${flows}/notifications.ts`,
    from: "filter(({ username }) => username !== sender.username)",
    to: 'filter(({ username }) => username !== "" && sender.username !== "")',
    tests: [`${flows}/changes.test.ts`],
  },
];
