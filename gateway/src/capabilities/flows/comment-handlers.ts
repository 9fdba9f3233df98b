import type { FlowCommentAnchor } from "@fairway/contract/flow-requests";
import type { FlowCommentDraft, flows as contract } from "@fairway/contract/flows";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { EngineCall } from "#query/engine.ts";
import type { FlowParts } from "./flow-parts.ts";
import { commentsOf, deleteComment, editComment, insertComment, toComment } from "./comments.ts";
import { findStoredContent } from "./iterations.ts";
import type { Caller, Member } from "./membership.ts";
import { mentionsIn } from "./mentions.ts";
import { mentionMessage, topicOf } from "./notifications.ts";
import { findRequest, lockRequest, type RequestRef, type RequestRow, updateRequest } from "./requests.ts";

const usernames = (members: readonly Member[]): string[] => members.map(({ username }) => username);

/** Comments on requests. */
export function commentHandlers({
  db,
  membership,
  notifications,
  contents,
}: FlowParts): Pick<Handlers<typeof contract>, "comments" | "comment" | "editComment" | "deleteComment"> {
  const mentionedIn = async (text: string, group: string): Promise<Member[]> =>
    text.includes("@") ? mentionsIn(text, await membership.members(group)) : [];

  /** The anchor of the draft, with the text or component that it refers to. */
  const anchorOf = async (requestId: number, draft: FlowCommentDraft["anchor"], call: EngineCall): Promise<FlowCommentAnchor | null> => {
    if (!draft) return null;
    const stored = await findStoredContent(db, requestId, draft.iterationId);
    if (stored === undefined) {
      throw new Refusal("invalid-value", "The request has no such iteration.", { path: "anchor.iterationId" });
    }
    if (draft.kind === "component") return draft;
    const context = await contents.lineContext(stored, draft.line, call);
    if (context === undefined) throw new Refusal("invalid-value", "The iteration has no such line.", { path: "anchor.line" });
    return { ...draft, ...context };
  };

  const notifyMentioned = (user: Caller, row: RequestRow, text: string, mentioned: readonly Member[]) =>
    notifications.send(
      row,
      user,
      mentioned.map(({ id }) => id),
      mentionMessage(user, row, text),
    );

  const requireRequest = async (user: Caller, ref: RequestRef) => {
    await membership.require(user, ref.group);
    return findRequest(db, ref);
  };

  return {
    comments: async ({ user, params }) => {
      const { id } = await requireRequest(user, params);
      return (await commentsOf(db, id)).map((row) => toComment(row, user));
    },
    comment: async ({ user, params, body: { text, anchor: draft }, signal }) => {
      const request = await requireRequest(user, params);
      const [anchor, mentioned] = await Promise.all([
        anchorOf(request.id, draft, { signal, owner: user.id }),
        mentionedIn(text, params.group),
      ]);
      const comment = await db.transaction().execute(async (trx) => {
        await lockRequest(trx, params);
        const row = await insertComment(trx, request.id, user, { text, anchor, mentions: usernames(mentioned) });
        await updateRequest(trx, request.id);
        return row;
      });
      if (!mentioned.some(({ id }) => id === request.creator_id)) {
        await notifications.send(request, user, "author", {
          title: `Comment on your flow request ${request.name}`,
          text: `${user.username}: ${text}`,
          topic: topicOf(request.id, "comments"),
        });
      }
      await notifyMentioned(user, request, text, mentioned);
      return toComment(comment, user);
    },
    editComment: async ({ user, params, body: { text } }) => {
      const request = await requireRequest(user, params);
      const mentioned = await mentionedIn(text, params.group);
      const ids = { requestId: request.id, commentId: params.commentId };
      const { before, now } = await db.transaction().execute(async (trx) => {
        await lockRequest(trx, params);
        return editComment(trx, ids, user, { text, mentions: usernames(mentioned) });
      });
      const added = mentioned.filter(({ username }) => !before.mentions.includes(username));
      await notifyMentioned(user, request, text, added);
      return toComment(now, user);
    },
    deleteComment: async ({ user, params }) => {
      const request = await requireRequest(user, params);
      const comment = await db.transaction().execute(async (trx) => {
        await lockRequest(trx, params);
        return deleteComment(trx, { requestId: request.id, commentId: params.commentId }, user);
      });
      return toComment(comment, user);
    },
  };
}
