import type { OwnedApiKey } from "@fairway/contract/api-keys";
import { Text } from "@mantine/core";

/** The user that something belongs to, and whether the account is locked. */
export function OwnerName({ owner: { username, locked } }: Pick<OwnedApiKey, "owner">) {
  return (
    <>
      {username}
      {locked && (
        <Text span inherit c="var(--text-3)">
          {" locked"}
        </Text>
      )}
    </>
  );
}
