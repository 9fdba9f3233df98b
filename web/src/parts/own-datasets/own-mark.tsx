import type { OwnDataset } from "@fairway/contract/own-datasets";
import { IconLock } from "#ui/icons/lock.ts";
import { IconShare } from "#ui/icons/share.ts";

/** Beside the title of an own dataset: whether others see it, or whose it is. */
export function OwnMark({ own, className }: { own: OwnDataset | undefined; className?: string | undefined }) {
  if (own === undefined) return null;
  if (own.can !== "own") return own.owner === null ? null : <small className={className}>{own.owner.username}</small>;
  const label = own.shares.length === 0 ? "Only you see it" : "You share it";
  const Icon = own.shares.length === 0 ? IconLock : IconShare;
  return (
    <span title={label} className={className}>
      <Icon size={14} role="img" aria-label={label} />
    </span>
  );
}
