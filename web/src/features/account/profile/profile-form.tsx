import { type OwnProfile, profileDraft } from "@fairway/contract/profile";
import { Button, TextInput } from "@mantine/core";
import { z } from "zod";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { sameContent } from "#ui/dialog/unsaved-changes.tsx";
import { useDialogForm } from "#ui/kit/use-dialog-form.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { saveProfile } from "../queries.ts";
import { useFreshAction } from "../use-fresh-action.tsx";

const typedProfile = z.object({ email: z.string(), firstName: z.string(), lastName: z.string() });

/** Edits email and name; the username is fixed. */
export function ProfileForm({ profile }: { profile: OwnProfile }) {
  const { email, firstName, lastName, managed: readOnly = false } = profile;
  const stored = { email, firstName, lastName };
  const fresh = useFreshAction();
  const { field, canSave, saving, submit, values } = useDialogForm({
    initial: stored,
    draft: { name: "profile", schema: typedProfile },
    isTyped: (typed) => !sameContent(typed, stored),
    canSave: (typed) => profileDraft.safeParse(typed).success,
    save: async (typed) => {
      await saveProfile(profileDraft.parse(typed));
      toastSuccess("Profile updated");
    },
    attempt: (work) => fresh.run(work, (error) => toastError("Profile Update Failed", messagesOf(error).join(" "))),
  });
  const invalidFields = new Set(profileDraft.safeParse(values).error?.issues.map(({ path }) => path[0]));
  return (
    <section className={classes["section"]} aria-label="About you">
      {readOnly && <p className={classes["hint"]}>Your name and email come from your organization and can be changed there.</p>}
      <form
        className={classes["form"]}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (canSave) submit();
        }}
      >
        <TextInput label="Username" description="You can't change your username." value={profile.username} readOnly />
        <TextInput
          label="Email"
          type="email"
          {...field("email")}
          readOnly={readOnly}
          autoComplete="email"
          required
          error={!readOnly && invalidFields.has("email") && "An email address has at least 4 characters."}
        />
        <div className={classes["pair"]}>
          <TextInput
            label="First name"
            {...field("firstName")}
            readOnly={readOnly}
            autoComplete="given-name"
            required
            error={!readOnly && invalidFields.has("firstName") && "A first name has at least 1 character."}
          />
          <TextInput
            label="Last name"
            {...field("lastName")}
            readOnly={readOnly}
            autoComplete="family-name"
            required
            error={!readOnly && invalidFields.has("lastName") && "A last name has at least 1 character."}
          />
        </div>
        {!readOnly && (
          <div className={classes["start"]}>
            <Button type="submit" disabled={!canSave} loading={saving}>
              Save
            </Button>
          </div>
        )}
      </form>
      {fresh.dialog}
    </section>
  );
}
