import { type Subscription, subscriptions } from "@fairway/contract/subscriptions";
import { gateway } from "./open-screen.tsx";
import { page } from "vitest/browser";

export const buildSubscription = (name: string, overrides: Partial<Subscription> = {}): Subscription => ({
  id: `e-${name}`,
  name,
  of: { boardId: "season" },
  ofName: "Hurricane season",
  link: "/boards/season",
  at: { hour: 8, minute: 5, weekdays: [1, 2, 3, 4, 5], zone: "Europe/Berlin" },
  onlyIfChanged: false,
  withRows: false,
  state: "active",
  reason: "",
  lastSentMs: Date.now() - 300_000,
  nextMs: Date.now() + 3_300_000,
  isAsked: false,
  createdDateMs: 0,
  ...overrides,
});

interface Portal {
  readonly sendsEmail?: boolean;
  readonly emailAddress?: string | null;
  readonly allowsRows?: boolean;
}

/** Makes the gateway store the user's subscriptions, initially these. */
export function serveSubscriptions(initial: readonly Subscription[], portal: Portal = {}): void {
  let stored = [...initial];
  const replace = (id: string, change: Partial<Subscription>): Subscription => {
    stored = stored.map((one) => (one.id === id ? Object.assign({}, one, change) : one));
    return stored.find((one) => one.id === id) ?? buildSubscription("missing");
  };
  gateway.answer(subscriptions.list, () => ({
    subscriptions: stored,
    sendsEmail: true,
    emailAddress: "ada@example.org",
    allowsRows: false,
    ...portal,
  }));
  gateway.answer(subscriptions.create, ({ body }) => {
    const created = buildSubscription(body.name, { ...body, lastSentMs: null });
    stored = [...stored, created];
    return created;
  });
  gateway.answer(subscriptions.edit, ({ params, body }) => replace(params.id, body));
  gateway.answer(subscriptions.send, ({ params }) => replace(params.id, { isAsked: true }));
  gateway.answer(subscriptions.remove, ({ params }) => {
    stored = stored.filter(({ id }) => id !== params.id);
    return undefined;
  });
}

export const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });

export const dialog = (name: string) => page.getByRole("dialog", { name, exact: true });
