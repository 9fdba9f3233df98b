import type { Share, ShareCan } from "@fairway/contract/sharing";
import { NativeSelect } from "@mantine/core";
import { IconButton } from "#ui/icon-button.tsx";
import { IconX } from "#ui/icons/x.ts";
import { ShareBox } from "./share-box.tsx";
import { kindNames, recipientKey } from "./share-draft.ts";
import classes from "./sharing.module.css";

export interface ShareFieldsProps {
  shares: readonly Share[];
  mayShareWithEveryone: boolean;
  /** They are the first fields of their dialog. */
  takesFocus?: boolean;
  onChange: (shares: readonly Share[]) => void;
}

/** The fields of a form that say with whom a thing is shared, and whether they may edit it. */
export function ShareFields({ shares, mayShareWithEveryone, takesFocus = false, onChange }: ShareFieldsProps) {
  return (
    <>
      <ShareBox
        takesFocus={takesFocus}
        taken={new Set(shares.map(({ to }) => recipientKey(to)))}
        mayShareWithEveryone={mayShareWithEveryone}
        onAdd={(to) => onChange([...shares, { to, can: "view" }])}
        onRemoveLast={() => onChange(shares.slice(0, -1))}
      />
      <ShareList shares={shares} onChange={onChange} />
      <p className={classes["sentence"]}>People see only rows and columns that they may see.</p>
    </>
  );
}

function ShareList({ shares, onChange }: { shares: readonly Share[]; onChange: (shares: readonly Share[]) => void }) {
  if (shares.length === 0) return <p className={classes["sentence"]}>Only you see it.</p>;
  return (
    <ul aria-label="Shared with" className={classes["shares"]}>
      {shares.map((share, index) => (
        <li key={recipientKey(share.to)}>
          <span>
            {share.to.name}
            <small>{kindNames[share.to.kind]}</small>
          </span>
          <NativeSelect
            aria-label={`What ${share.to.name} may do`}
            value={share.can}
            data={[
              { value: "view", label: "View" },
              { value: "edit", label: "Edit" },
            ]}
            onChange={(event) => onChange(shares.with(index, { ...share, can: event.currentTarget.value as ShareCan }))}
          />
          <IconButton label={`Remove ${share.to.name}`} onClick={() => onChange(shares.toSpliced(index, 1))}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
