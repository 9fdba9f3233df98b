import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectAddress, expectCount, expectTexts, expectToastFor, textsOf } from "#testing/assertions.ts";
import { buildComment, requestAddress, serveFlowRequest, textAddress } from "#testing/flow-request.ts";
import { flowContent, flowFile } from "#testing/flows.ts";
import { press } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { choose, button, dialog, status } from "#testing/request-actions.ts";
import { setField } from "#testing/quick-fields.ts";

const { inProgress, readyForReview, abandoned, accepted, unknown } = flowRequestStatus;
const admin = { roles: ["admin"] };

const heading = () => page.getByRole("heading", { level: 1, name: "Larger batches for best-track" });
const alert = (text: string) => page.getByRole("alert").filter({ hasText: text });

it.each([
  {
    requirements: "[FLOW-23][FLOW-25]",
    name: "a member",
    status: inProgress,
    claims: {},
    actions: ["Create New Iteration", "Submit for Review", "Abandon"],
  },
  { requirements: "[FLOW-24][FLOW-25]", name: "a member", status: readyForReview, claims: {}, actions: ["Abandon"] },
  { requirements: "[FLOW-24][FLOW-26]", name: "a member", status: unknown, claims: {}, actions: ["Abandon"] },
  {
    requirements: "[FLOW-25][FLOW-26]",
    name: "an administrator",
    status: inProgress,
    claims: admin,
    actions: ["Create New Iteration", "Submit for Review", "Accept", "Reject", "Deploy", "Abandon"],
  },
  {
    requirements: "[FLOW-24][FLOW-26]",
    name: "an administrator",
    status: readyForReview,
    claims: admin,
    actions: ["Accept", "Reject", "Deploy", "Abandon"],
  },
])("$requirements with status $status, $name is offered $actions", async ({ status: value, claims, actions }) => {
  serveFlowRequest({ request: { status: value, canDecide: claims === admin } });
  await openScreen(textAddress, claims);
  await button("Actions").click();
  await expectTexts(page.getByRole("menuitem"), actions);
});

it.each([abandoned, accepted])("[FLOW-27] a final request, %i, offers no actions, also to administrators", async (value) => {
  serveFlowRequest({ request: { status: value } });
  await openScreen(textAddress, admin);
  await expect.element(heading()).toBeVisible();
  await expectCount(button("Actions"), 0);
  await expectCount(page.getByRole("button", { name: /^Take/ }), 0);
});

it("an administrator who may not accept an own request sees why, and may still reject it, which only takes it back", async () => {
  serveFlowRequest({ request: { isOwn: true, canDecide: false } });
  await openScreen(textAddress, admin);
  await button("Actions").click();
  await expect.element(page.getByRole("menuitem", { name: "Accept" })).toBeDisabled();
  await expect.element(page.getByRole("menuitem", { name: "Accept" })).toHaveAttribute("title", "Someone else has to accept your request.");
  await expect.element(page.getByRole("menuitem", { name: "Reject" })).toBeEnabled();
});

it("[FLOW-28] submits with a comment and shows the status of the reply; a canceled dialog keeps the text and changes nothing", async () => {
  const stored = serveFlowRequest();
  await openScreen(textAddress);
  await choose("Submit for Review");
  const field = () => dialog("Submit for review?").getByRole("textbox", { name: "Comment (optional)" });
  await expect.element(field()).toHaveFocus();
  await setField(field(), "Tested with season 2005.");
  await expectAccessible();
  await press("Escape");
  await expectCount(dialog("Submit for review?"), 0);
  expect(gateway.received(flows.submit)).toEqual([]);

  await choose("Submit for Review");
  await expect.element(field()).toHaveValue("Tested with season 2005.");
  // Whatever the reply says is shown, and the request is read again only afterwards.
  gateway.answer(flows.submit, () => ({ ...stored.request, status: accepted }), { times: 1 });
  const release = gateway.hold(flows.request);
  await dialog("Submit for review?").getByRole("button", { name: "Submit for Review" }).click();
  await expect.element(status("Accepted")).toBeVisible();
  release();
  expect(gateway.received(flows.submit).map(({ body }) => body)).toEqual([
    { comment: "Tested with season 2005.", expectedStatus: inProgress, expectedIterationId: 142 },
  ]);
});

it("[FLOW-70] [FLOW-71] administrators accept with a comment and reject without a reason", async () => {
  serveFlowRequest({ request: { status: readyForReview, canDecide: true } });
  await openScreen(textAddress, admin);
  await choose("Reject");
  await expect.element(dialog("Reject this request?").getByRole("textbox", { name: "Reason (optional)" })).toBeVisible();
  await dialog("Reject this request?").getByRole("button", { name: "Reject" }).click();
  await expect.element(status("In Progress")).toBeVisible();
  await expect.element(page.getByText(/^Rejected by ada, back to In Progress/)).toBeVisible();

  await choose("Accept");
  await expect
    .element(dialog("Accept this request?"))
    .toHaveTextContent("Iteration 2 becomes the accepted content of storm-ingest. This can't be undone");
  await setField(dialog("Accept this request?").getByRole("textbox"), "Thanks.");
  await press("Control+Enter");
  await expect.element(status("Accepted")).toBeVisible();
  await expectCount(button("Actions"), 0);
  await expect.element(page.getByText("Thanks.")).toBeVisible();
  expect(gateway.received(flows.reject).map(({ params, body }) => [params.id, body])).toEqual([
    [14, { expectedStatus: readyForReview, expectedIterationId: 142 }],
  ]);
  expect(gateway.received(flows.accept).map(({ params, body }) => [params.id, body])).toEqual([
    [14, { comment: "Thanks.", expectedStatus: inProgress, expectedIterationId: 142 }],
  ]);
});

interface FailingAction {
  action: string;
  title: string;
  route: typeof flows.submit | typeof flows.abandon | typeof flows.accept | typeof flows.reject;
  failure: string;
}

async function expectFailure({ action, title, route, failure }: FailingAction): Promise<void> {
  serveFlowRequest({ request: { canDecide: true } });
  gateway.refuse(route, "internal", "The database is away.");
  await openScreen(textAddress, admin);
  await choose(action);
  await setField(dialog(title).getByRole("textbox"), "My reason");
  await dialog(title).getByRole("button", { name: action }).click();
  await expect.element(alert(failure)).toHaveTextContent("The database is away.");
  await expect.element(dialog(title).getByRole("textbox")).toHaveValue("My reason");
}

it("[FLOW-43] a failed abandon shows 'Failed to Abandon Request' and keeps the comment", () =>
  expectFailure({ action: "Abandon", title: "Abandon this request?", route: flows.abandon, failure: "Failed to Abandon Request" }));

it("[FLOW-44] a failed submit shows 'Failed to Submit Request' and keeps the comment", () =>
  expectFailure({ action: "Submit for Review", title: "Submit for review?", route: flows.submit, failure: "Failed to Submit Request" }));

it("[FLOW-45] a failed accept or reject shows 'Failed to Set Request Status' and keeps the comment", async () => {
  await expectFailure({ action: "Accept", title: "Accept this request?", route: flows.accept, failure: "Failed to Set Request Status" });
  await expectFailure({ action: "Reject", title: "Reject this request?", route: flows.reject, failure: "Failed to Set Request Status" });
});

it("[FLOW-30] [FLOW-31] a new iteration needs a file and is shown", async () => {
  serveFlowRequest();
  await openScreen(textAddress);
  await choose("Create New Iteration");
  const create = () => dialog("Create New Iteration").getByRole("button", { name: "Create" });
  await expect.element(create()).toBeDisabled();
  await dialog("Create New Iteration")
    .getByLabelText("Content")
    .upload(flowFile(flowContent("storm-ingest", "9 min")));
  await expect.element(create()).toBeEnabled();
  await setField(dialog("Create New Iteration").getByRole("textbox", { name: "Reason (optional)" }), "Often enough.");
  await create().click();
  await expect.element(page.getByRole("region", { name: "Content", exact: true }).getByText(/9 min/)).toBeVisible();
  await expectAddress(`${requestAddress}?iteration=3`);
  await expectCount(dialog("Create New Iteration"), 0);
  expect(gateway.received(flows.createIteration).map(({ body }) => body)).toEqual([
    { content: flowContent("storm-ingest", "9 min"), reason: "Often enough." },
  ]);
  expect(textsOf(page.getByRole("navigation", { name: "Iterations" }).getByRole("link"))[0]).toMatch(/^Iteration 3ada, /);
  // One's own iteration is no news.
  await expect.element(page.getByRole("status", { name: "News" })).not.toBeVisible();
});

it("[FLOW-57] a new iteration is confirmed for 2000 ms", async () => {
  serveFlowRequest({ comments: [buildComment(1, "Hm.")] });
  await openScreen(textAddress);
  await choose("Create New Iteration");
  await dialog("Create New Iteration").getByLabelText("Content").upload(flowFile());
  await expect.element(dialog("Create New Iteration").getByRole("button", { name: "Create" })).toBeEnabled();
  vi.useFakeTimers();
  await dialog("Create New Iteration").getByRole("button", { name: "Create" }).click();
  await expectToastFor("Iteration 3 created", 2000);
});

it("[FLOW-32] a failed new iteration shows 'Failed to Save New Iteration' and keeps the file", async () => {
  serveFlowRequest();
  gateway.refuse(flows.createIteration, "conflict", "The request is Ready for Review.", { times: 1 });
  await openScreen(textAddress);
  await choose("Create New Iteration");
  await dialog("Create New Iteration").getByLabelText("Content").upload(flowFile());
  await dialog("Create New Iteration").getByRole("button", { name: "Create" }).click();
  await expect.element(alert("Failed to Save New Iteration")).toHaveTextContent("The request is Ready for Review.");
  await expect.element(dialog("Create New Iteration")).toHaveTextContent("storm-ingest.json");
  await dialog("Create New Iteration").getByRole("button", { name: "Create" }).click();
  await expectCount(dialog("Create New Iteration"), 0);
});
