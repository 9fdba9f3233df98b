import { type OwnProfile, profileDraft } from "@fairway/contract/profile";
import { Button, TextInput } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { z } from "zod";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { draftOf } from "#lib/browser/drafts.ts";
import { useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { saveProfile } from "../queries.ts";
import { useFreshAction } from "../use-fresh-action.tsx";

const typedProfile = z.object({ email: z.string(), firstName: z.string(), lastName: z.string() });

/** Edits email and name; the username is fixed. */
export function ProfileForm({ profile }: { profile: OwnProfile }) {
  const initial = draftOf("profile", typedProfile) ?? profile;
  const [email, setEmail] = useState(initial.email);
  const [firstName, setFirstName] = useState(initial.firstName);
  const [lastName, setLastName] = useState(initial.lastName);
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction((error) => toastError("Profile Update Failed", messagesOf(error).join(" ")));
  const draft = profileDraft.safeParse({ email, firstName, lastName });
  useUnsavedChanges(email !== profile.email || firstName !== profile.firstName || lastName !== profile.lastName, {
    draft: { name: "profile", value: { email, firstName, lastName } },
  });
  const invalidFields = new Set(draft.error?.issues.map(({ path }) => path[0]));

  async function save(): Promise<void> {
    if (!draft.success || busy) return;
    setBusy(true);
    try {
      await saveProfile(draft.data);
      toastSuccess("Profile updated");
    } finally {
      setBusy(false);
    }
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    void fresh.run(save);
  }

  const readOnly = profile.managed === true;
  return (
    <section className={classes["section"]} aria-label="About you">
      {readOnly && <p className={classes["hint"]}>Your name and email come from your organization and can be changed there.</p>}
      <form className={classes["form"]} onSubmit={submit} noValidate>
        <TextInput label="Username" description="You can't change your username." value={profile.username} readOnly />
        <TextInput
          label="Email"
          type="email"
          value={email}
          readOnly={readOnly}
          autoComplete="email"
          required
          error={!readOnly && invalidFields.has("email") && "An email address has at least 4 characters."}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <div className={classes["pair"]}>
          <TextInput
            label="First name"
            value={firstName}
            readOnly={readOnly}
            autoComplete="given-name"
            required
            error={!readOnly && invalidFields.has("firstName") && "A first name has at least 1 character."}
            onChange={(event) => setFirstName(event.currentTarget.value)}
          />
          <TextInput
            label="Last name"
            value={lastName}
            readOnly={readOnly}
            autoComplete="family-name"
            required
            error={!readOnly && invalidFields.has("lastName") && "A last name has at least 1 character."}
            onChange={(event) => setLastName(event.currentTarget.value)}
          />
        </div>
        {!readOnly && (
          <div className={classes["start"]}>
            <Button type="submit" disabled={!draft.success} loading={busy}>
              Save
            </Button>
          </div>
        )}
      </form>
      {fresh.dialog}
    </section>
  );
}
