import { Button, Stack, Text } from "@mantine/core";
import { IconRefresh } from "#ui/icons/refresh.ts";

/** Why a visible path is incomplete, with a retry button. */
export function PathLoadError({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <Stack role="alert" gap="sm" align="flex-start" w="100%" pb="sm">
      <Text size="xs" c="red">
        {text}
      </Text>
      <Button variant="default" size="xs" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </Stack>
  );
}
