import { type FeedbackType, feedbackLimits, feedbackTypes } from "@fairway/contract/feedback";
import { Button, Group, Loader, NativeSelect, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { MultiDatasetPicker } from "#parts/dataset-picker/multi-picker.tsx";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { feedbackTypeLabels } from "./feedback-words.ts";
import { RestoredNote, useKeptDraft } from "#ui/kept-draft.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { AttachmentField } from "./attachment-field.tsx";
import {
  type FeedbackContent,
  type FeedbackFormStatus,
  emptyFeedback,
  feedbackContent,
  feedbackDraftName,
  problemsOf,
} from "./feedback-rules.ts";
import { ownFeedbackQuery, submitFeedback } from "./queries.ts";
import classes from "./feedback.module.css";

interface Props {
  status: FeedbackFormStatus;
  onStatus: (status: FeedbackFormStatus) => void;
  onClose: () => void;
}

/** The form, then a confirmation. A failure leaves the form unchanged. */
export function FeedbackForm({ status, onStatus, onClose }: Props) {
  const user = useCurrentUser();
  const list = useQuery(datasetsQuery);
  const kept = useKeptDraft<FeedbackContent>(feedbackDraftName, feedbackContent);
  const [content, setContent] = useState(kept ?? emptyFeedback);
  useUnsavedChanges(status !== "success" && !sameContent(content, emptyFeedback), {
    staysOverScreens: true,
    draft: { name: feedbackDraftName, value: content },
  });
  // Problems are shown after the first attempt to submit.
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const problems = wasSubmitted ? problemsOf(content) : {};
  const [isUploading, setUploading] = useState(false);
  const isSending = status === "submiting";
  const update = (changes: Partial<FeedbackContent>) => setContent((previous) => ({ ...previous, ...changes }));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending || isUploading) return;
    setWasSubmitted(true);
    const { type, comment, datasets, attachments } = content;
    if (type === "" || Object.keys(problemsOf(content)).length > 0) return;
    onStatus("submiting");
    try {
      await submitFeedback({
        username: user.preferred_username,
        name: user.name,
        email: user.email,
        type,
        description: comment.trim(),
        datasets: datasets.map(({ datasetCategory, datasetId }) => `${datasetCategory}/${datasetId}`),
        attachments: attachments.map(({ id }) => id),
      });
      onStatus("success");
      void queryClient.invalidateQueries(ownFeedbackQuery);
    } catch (error) {
      onStatus("error");
      logFailure("The feedback could not be submitted", error);
    }
  }

  if (status === "success") {
    return (
      <div data-status={status}>
        <Text role="status" py="lg">
          Thank you! Your feedback has been submitted.
        </Text>
        <Group justify="flex-end" mt={24}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </div>
    );
  }
  return (
    <form noValidate className={classes["form"]} data-status={status} onSubmit={(event) => void submit(event)}>
      <RestoredNote when={kept !== undefined} />
      <NativeSelect
        label="Type"
        required
        data-autofocus
        value={content.type}
        disabled={isSending}
        error={problems.type}
        data={[{ value: "", label: "Choose a type" }, ...feedbackTypes.map((value) => ({ value, label: feedbackTypeLabels[value] }))]}
        onChange={(event) => update({ type: event.currentTarget.value as FeedbackType | "" })}
      />
      <Textarea
        label="Comment"
        required
        rows={4}
        maxLength={feedbackLimits.descriptionCharacters}
        value={content.comment}
        disabled={isSending}
        error={problems.comment}
        {...(content.type === "data"
          ? { description: "Describe the data product you need. Include all columns that you expect, for each dataset." }
          : {})}
        onChange={(event) => update({ comment: event.currentTarget.value })}
      />
      <div className={classes["datasets"]} inert={isSending}>
        <QueryState query={list} loading={{ label: "Loading datasets" }} failed="Error loading datasets.">
          {(data) => (
            <MultiDatasetPicker list={data} chosen={content.datasets} onChange={(datasets) => update({ datasets })} withFavorites />
          )}
        </QueryState>
        {problems.datasets !== undefined && <p className={classes["problem"]}>{problems.datasets}</p>}
      </div>
      <AttachmentField
        attachments={content.attachments}
        disabled={isSending}
        onUploading={setUploading}
        onAdd={(added) => setContent((previous) => ({ ...previous, attachments: [...previous.attachments, added] }))}
        onRemove={(id) =>
          setContent((previous) => ({ ...previous, attachments: previous.attachments.filter((attachment) => attachment.id !== id) }))
        }
      />
      {status === "error" && (
        <p role="alert" className={classes["problem"]}>
          An error occurred while submitting your feedback. Please try again.
        </p>
      )}
      <Group justify="flex-end" gap="sm" mt="sm">
        {isSending && (
          <span role="status" className={classes["sending"]}>
            <Loader size={16} aria-hidden /> Submitting Feedback...
          </span>
        )}
        <Button variant="default" disabled={isSending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={isSending || isUploading}>
          Submit
        </Button>
      </Group>
    </form>
  );
}
