import { passesRole } from "@fairway/contract/access";
import { flowDeveloperRole } from "@fairway/contract/flows";
import type { NewNotification, Notifier } from "#personal/notify.ts";
import { adminRole, type Caller, type Member } from "./membership.ts";
import type { RequestRow } from "./requests.ts";

type Message = Pick<NewNotification, "title" | "text" | "topic">;
type Recipients = "author" | "reviewer" | readonly string[];

/** Tells members what happened to requests. Decision 0453. */
export class FlowNotifications {
  readonly #notifier: Notifier;
  readonly #membersOf: (group: string) => Promise<readonly Member[]>;

  constructor(notifier: Notifier, membersOf: (group: string) => Promise<readonly Member[]>) {
    this.#notifier = notifier;
    this.#membersOf = membersOf;
  }

  /**
   * Never notifies the sender, or who is not a member any more. `reviewer` stands for every member while there is no reviewer who
   * is a member.
   */
  async send(request: RequestRow, sender: Pick<Caller, "username">, to: Recipients, message: Message): Promise<void> {
    const members = await this.#membersOf(request.group_name);
    const others = recipientsOf(request, members, to).filter(({ username }) => username !== sender.username);
    const role = flowDeveloperRole(request.group_name);
    const [developers, administrators] = [
      others.filter(({ roles }) => passesRole(roles, role)),
      others.filter(({ roles }) => !passesRole(roles, role)),
    ];
    const link = linkOf(request);
    for (const [recipients, required] of [
      [developers, role],
      [administrators, adminRole],
    ] as const) {
      await this.#notifier.notify(
        recipients.map(({ id }) => id),
        { ...message, link, role: required },
      );
    }
  }

  /** For a request that does not wait for a review any more. */
  retractReview(requestId: number): Promise<void> {
    return this.#notifier.retract(topicOf(requestId, "review"));
  }
}

function recipientsOf(request: RequestRow, members: readonly Member[], to: Recipients): readonly Member[] {
  if (to === "author") return members.filter(({ id }) => id === request.creator_id);
  if (to !== "reviewer") return members.filter(({ id }) => to.includes(id));
  const reviewer = members.find(({ id }) => id === request.reviewer_id);
  return reviewer === undefined ? members : [reviewer];
}

/** One unread notification per request and subject. */
export const topicOf = (requestId: number, subject: "review" | "comments" | "mentions"): string => `flow-request ${requestId} ${subject}`;

const linkOf = ({ group_name: group, flow_id: flowId, id }: RequestRow): string =>
  `/niflow-requests/${encodeURIComponent(group)}/${flowId}/${id}`;

export const mentionMessage = ({ username }: Pick<Caller, "username">, { id, name }: RequestRow, text: string): Message => ({
  title: `${username} mentions you on the flow request ${name}`,
  text,
  topic: topicOf(id, "mentions"),
});
