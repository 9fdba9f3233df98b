import { datasets } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { feedback, feedbackAdministration, type OwnFeedback } from "@fairway/contract/feedback";
import { notices } from "@fairway/contract/notices";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import "#testing/css-locator.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { openOnce } from "#testing/open-once.tsx";
import { chooseFile } from "#testing/files.ts";
import { focus } from "#testing/keyboard.ts";
import { gateway, openScreen } from "#testing/open-screen.tsx";
import { setField } from "#testing/quick-fields.ts";

const modal = () => page.getByRole("dialog", { name: "Submit Feedback" });
const button = (name: string) => modal().getByRole("button", { name, exact: true });
const type = () => modal().getByRole("combobox", { name: "Type" });
const comment = () => modal().getByRole("textbox", { name: "Comment" });
const formStatus = () => modal().css("[data-status]").first();
const dataset = (name: string) => modal().getByRole("checkbox", { name });

const attached = () => modal().getByRole("list", { name: "Attachments" }).getByRole("listitem");
const fileInput = () => modal().getByLabelText("Attachment", { exact: true });

/** An upload whose progress and response the test controls. */
class FakeUpload extends EventTarget {
  static readonly sent: FakeUpload[] = [];
  readonly upload = new EventTarget();
  readonly setRequestHeader = vi.fn<XMLHttpRequest["setRequestHeader"]>();
  readonly abort = vi.fn<() => void>();
  status = 0;
  responseText = "";
  address = "";
  filename = "";

  open(method: string, url: string): void {
    this.address = `${method} ${url}`;
  }

  send(form: FormData): void {
    const file = form.get("file");
    this.filename = file instanceof File ? file.name : "";
    FakeUpload.sent.push(this);
  }

  progress(percent: number): void {
    this.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable: true, loaded: percent, total: 100 }));
  }

  answer(status: number, body: unknown): void {
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    this.dispatchEvent(new Event("load"));
  }
}

/** Attaches a file and returns its upload. */
async function attach(name: string): Promise<FakeUpload> {
  const before = FakeUpload.sent.length;
  await chooseFile(fileInput(), name, "like this", "text/plain");
  await expect.poll(() => FakeUpload.sent.length).toBe(before + 1);
  const upload = FakeUpload.sent.at(-1);
  if (!upload) throw new Error("no upload was sent");
  expect(upload).toMatchObject({ address: "POST /api/feedback/upload", filename: name });
  return upload;
}

async function openFeedback(): Promise<void> {
  await openScreen("/notices");
  await openDialog();
}

async function openDialog(): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Submit Feedback" }).click();
  await expect.element(modal()).toBeVisible();
}

beforeEach(() => {
  serveDatasets(gateway);
  gateway.answer(notices.list, []);
  gateway.answer(feedback.own, []);
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});
afterEach(() => {
  vi.unstubAllGlobals();
  FakeUpload.sent.length = 0;
});

describe("the feedback form", () => {
  openOnce(async () => {
    gateway.answer(favoriteDatasets.add, ({ body }) => {
      gateway.answer(favoriteDatasets.list, [body]);
      return body;
    });
    await openFeedback();
  });

  const hint = modal().getByText(/Include all columns that you expect, for each dataset/);
  const missing = {
    type: modal().getByText("You must choose a feedback type"),
    comment: modal().getByText("Comment text is required to submit feedback"),
    datasets: modal().getByText("At least 1 Dataset must be selected"),
  };

  it("[FEEDBACK-02] has four types", async () => {
    const options = type().getByRole("option");
    await expectTexts(options, ["Choose a type", "Algorithm Request", "Bug", "Data Product Request", "Feedback"]);
    expect(options.elements().map((option) => (option as HTMLOptionElement).value)).toEqual(["", "algorithm", "bug", "data", "feedback"]);
  });

  it("[FEEDBACK-03] has Cancel and Submit", async () => {
    await expect.element(button("Cancel")).toBeVisible();
    await expect.element(button("Submit")).toBeVisible();
    await expect.element(formStatus().getByRole("button", { name: "Close", exact: true })).not.toBeInTheDocument();
    await expect.element(formStatus()).toHaveAttribute("data-status", "pending");
  });

  it("[FEEDBACK-17] says nothing of what is missing before it was submitted", async () => {
    await setField(comment(), "x");
    await setField(comment(), "  ");
    await expect.element(missing.comment).not.toBeInTheDocument();
  });

  it("[FEEDBACK-13][FEEDBACK-14] says when it is submitted without a type or a comment", async () => {
    await setField(comment(), "  ");
    await button("Submit").click();
    await expect.element(missing.type).toBeVisible();
    await expect.element(missing.comment).toBeVisible();
    expect(gateway.received(feedback.create)).toEqual([]);
  });

  it("[FEEDBACK-18] says at once what is missing after it was submitted in vain", async () => {
    await button("Submit").click();
    await expect.element(missing.comment).toBeVisible();
    await setField(comment(), "All columns.");
    await expect.element(missing.comment).not.toBeInTheDocument();
    await setField(comment(), "  ");
    await expect.element(missing.comment).toBeVisible();
  });

  it("[FEEDBACK-15][FEEDBACK-16] needs a dataset for data, and for nothing else", async () => {
    await button("Submit").click();
    await expect.element(missing.datasets).not.toBeInTheDocument();
    await setField(type(), "data");
    await expect.element(missing.type).not.toBeInTheDocument();
    await expect.element(missing.datasets).toBeVisible();
    await dataset("airports").click();
    await expect.element(missing.datasets).not.toBeInTheDocument();
    await dataset("airports").click();
    await expect.element(missing.datasets).toBeVisible();
    await setField(type(), "bug");
    await expect.element(missing.datasets).not.toBeInTheDocument();
  });

  it("[FEEDBACK-08][FEEDBACK-09] asks for all columns of each dataset for data, and for nothing else", async () => {
    await setField(type(), "data");
    await expect.element(hint).toBeVisible();
    await setField(type(), "bug");
    await expect.element(hint).not.toBeInTheDocument();
  });

  it("[SHELL-29][FEEDBACK-01] is opened at the bottom of the rail, takes attachments and datasets with favorites, and is left by Cancel", async () => {
    await expect.element(button("Add Attachment")).toBeVisible();
    await modal().getByRole("button", { name: "Favorite airports" }).click();
    await modal().getByRole("checkbox", { name: "Favorites only" }).click();
    await expect.element(dataset("airports")).toBeVisible();
    await expect.element(dataset("flights")).not.toBeInTheDocument();
    await setField(type(), "");
    await setField(comment(), "");
    await button("Cancel").click();
    await expect.element(modal()).not.toBeInTheDocument();
  });
});

describe("a failed submission", () => {
  openOnce(async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    vi.spyOn(console, "error").mockReturnValue(undefined);
    gateway.refuse(datasets.list, "internal", "It broke.", { times: 1 });
    await openFeedback();
  });

  const created: OwnFeedback = {
    id: "1",
    type: "bug",
    description: "It creaks.",
    datasets: [],
    attachments: [],
    status: "new",
    createdDateMs: 0,
    statusDateMs: null,
  };
  const failed = modal().getByText("An error occurred while submitting your feedback. Please try again.");
  const submit = async () => {
    const before = gateway.received(feedback.create).length;
    await setField(type(), "bug");
    await setField(comment(), "It creaks.");
    await button("Submit").click();
    await expect.poll(() => gateway.received(feedback.create).length).toBe(before + 1);
  };

  it("is not one of datasets that failed to load, which can be retried", async () => {
    await expect.element(modal().getByRole("alert")).toHaveTextContent("Error loading datasets.");
    await button("Retry").click();
    await expect.element(dataset("airports")).toBeInTheDocument();
  });

  it("[FEEDBACK-33] is any response other than 201", async () => {
    gateway.answerText(feedback.create, JSON.stringify(created), { status: 200, times: 1 });
    await submit();
    await expect.element(failed).toBeVisible();
    await expect.element(formStatus()).toHaveAttribute("data-status", "error");
    await focus(comment());
  });

  it("[FEEDBACK-11][FEEDBACK-34] says so and leaves the form as it is, which can be submitted again", async () => {
    gateway.answer(feedback.create, created);
    gateway.refuse(feedback.create, "internal", "It broke.", { times: 1 });
    await submit();
    await expect.element(failed).toBeVisible();
    await expect.element(formStatus()).toHaveAttribute("data-status", "error");
    await expect.element(comment()).toHaveValue("It creaks.");
    await expect.element(type()).toHaveValue("bug");
    await focus(comment());
    await button("Submit").click();
    await expect.element(modal().getByText(/Thank you/)).toBeVisible();
  });
});

const sent: OwnFeedback = {
  id: "1",
  type: "data",
  description: "Heights of <b>every</b> runway.",
  datasets: ["Aviation/airports"],
  attachments: [{ id: "f-1", filename: "sketch.txt" }],
  status: "new",
  createdDateMs: 0,
  statusDateMs: null,
};

let release = () => {};

describe("submitted feedback", () => {
  openOnce(async () => {
    gateway.answer(feedback.create, sent);
    await openFeedback();
    await setField(type(), "data");
    await setField(comment(), "  Heights of <b>every</b> runway.  ");
    await dataset("airports").click();
    (await attach("sketch.txt")).answer(201, { id: "f-1", filename: "sketch.txt" });
    await attached().findElement();
    release = gateway.hold(feedback.create);
    await button("Submit").click();
  });

  it("[FEEDBACK-05] is said to be on its way", async () => {
    await expect.element(modal().getByText("Submitting Feedback...")).toBeVisible();
    await expect.element(formStatus()).toHaveAttribute("data-status", "submiting");
  });

  it("[FEEDBACK-06][FEEDBACK-07] is thanked for, and was sent with what was entered", async () => {
    release();
    await expect.element(modal().getByText("Thank you! Your feedback has been submitted.")).toBeVisible();
    expect(gateway.received(feedback.create).map(({ body }) => body)).toEqual([
      {
        username: "ada",
        name: "Ada Lovelace",
        email: "ada@fairway.example",
        type: "data",
        description: "Heights of <b>every</b> runway.",
        datasets: ["Aviation/airports"],
        attachments: ["f-1"],
      },
    ]);
  });

  it("[FEEDBACK-04][FEEDBACK-10] ends with nothing but Close", async () => {
    release();
    await expect.element(formStatus()).toHaveAttribute("data-status", "success");
    await expect.element(button("Cancel")).not.toBeInTheDocument();
    await expect.element(button("Submit")).not.toBeInTheDocument();
    await expect.element(formStatus().getByRole("button", { name: "Close", exact: true })).toBeVisible();
  });

  it("[FEEDBACK-12] is listed with its status once the form is opened anew", async () => {
    release();
    gateway.answer(feedback.own, [sent]);
    await formStatus().getByRole("button", { name: "Close", exact: true }).click();
    await expect.element(modal()).not.toBeInTheDocument();
    await openDialog();
    await expect.element(comment()).toHaveValue("");
    await expect.element(modal().getByText(/Thank you/)).not.toBeInTheDocument();
    await modal().getByRole("tab", { name: "Your feedback" }).click();
    const own = modal().getByRole("list", { name: "Your feedback" }).getByRole("listitem");
    for (const text of ["Data Product Request", "New", "Heights of <b>every</b> runway.", "Aviation/airports", "sketch.txt"]) {
      await expect.element(own.first()).toHaveTextContent(text);
    }
  });
});

describe("attachments", () => {
  openOnce(async () => {
    vi.spyOn(console, "warn").mockReturnValue(undefined);
    vi.spyOn(console, "error").mockReturnValue(undefined);
    await openFeedback();
  });

  const question = page.getByRole("dialog", { name: "Remove Attachment?" });
  const remove = async (name: string) => {
    await button(`Remove ${name}`).click();
    await question.getByRole("button", { name: "Remove" }).click();
  };
  /** Expects the text to show now and to be gone after two seconds. */
  const expectForTwoSeconds = async (end: () => unknown, text: string) => {
    const shown = modal().getByText(text);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true, advanceTimeDelta: 1 });
    await end();
    await expect.element(shown).toBeVisible();
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.element(shown).toBeVisible();
    await vi.advanceTimersByTimeAsync(1_100);
    vi.useRealTimers();
    await expect.element(shown).not.toBeInTheDocument();
  };

  it("[FEEDBACK-21][FEEDBACK-24] are uploaded one by one, with their progress", async () => {
    await expect.element(fileInput()).not.toHaveAttribute("multiple");
    const upload = await attach("one.txt");
    await expect.element(modal().getByText("Uploading, 0%")).toBeVisible();
    await expect.element(button("Add Attachment")).toBeDisabled();
    upload.progress(42);
    await expect.element(modal().getByText("Uploading, 42%")).toBeVisible();
    upload.answer(201, { id: "one.txt", filename: "one.txt" });
    await expectTexts(attached(), ["one.txt"]);
    await remove("one.txt");
  });

  it("[FEEDBACK-25][FEEDBACK-27] are said to be uploaded for 2 seconds", async () => {
    const end = async () => (await attach("one.txt")).answer(201, { id: "one.txt", filename: "one.txt" });
    await expectForTwoSeconds(end, "File successfully uploaded!");
    await remove("one.txt");
  });

  it("[FEEDBACK-26] are said to have failed for 2 seconds", async () => {
    const end = async () => (await attach("trap.png")).answer(400, { errors: [{ code: "invalid-value", message: "It is no picture." }] });
    await expectForTwoSeconds(end, "File failed to upload.");
    await expectCount(attached(), 0);
  });

  it("[FEEDBACK-22] over 10 MB are not uploaded", async () => {
    const uploads = FakeUpload.sent.length;
    await chooseFile(fileInput(), "huge.txt", "a".repeat(10_000_001), "text/plain");
    await expect
      .element(page.getByRole("alert").filter({ hasText: "Large File" }))
      .toHaveTextContent('The file "huge.txt" is too large, files must be under 10MB.');
    expect(FakeUpload.sent).toHaveLength(uploads);
  });

  it("[FEEDBACK-19][FEEDBACK-20] are three at most: then there is no button, until one is removed", async () => {
    const files = ["one.txt", "two.txt", "three.txt"];
    for (const [index, name] of files.entries()) {
      (await attach(name)).answer(201, { id: name, filename: name });
      await expectTexts(attached(), files.slice(0, index + 1));
    }
    await expect.element(button("Add Attachment")).not.toBeInTheDocument();
    await remove("two.txt");
    await expectTexts(attached(), ["one.txt", "three.txt"]);
    await expect.element(button("Add Attachment")).toBeVisible();
    for (const name of ["one.txt", "three.txt"]) await remove(name);
    await expectCount(attached(), 0);
  });

  it("[FEEDBACK-23] are removed only after a confirmation", async () => {
    (await attach("one.txt")).answer(201, { id: "one.txt", filename: "one.txt" });
    await button("Remove one.txt").click();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect.element(question).not.toBeInTheDocument();
    await expectTexts(attached(), ["one.txt"]);
  });
});

it("axe finds no violations on the administrators' list of feedback", async () => {
  const received = {
    id: "1",
    username: "grace",
    name: "Grace Keller",
    email: "grace@fairway.example",
    type: "bug",
    description: "It creaks.",
    datasets: ["Aviation/airports"],
    attachments: [{ id: "f-1", filename: "sketch.txt", size: 9 }],
    status: "new",
    createdDateMs: 0,
    statusDateMs: null,
  } as const;
  gateway.answer(feedbackAdministration.list, [{ ...received, datasets: [...received.datasets], attachments: [...received.attachments] }]);
  await openScreen("/feedback-settings", { roles: ["admin"] });
  const submission = page.getByRole("list", { name: "Feedback" }).getByRole("listitem").first();
  await expect.element(submission).toHaveTextContent("Grace Keller (grace)");
  await expectAccessible();
});
