import { Box, Button } from "@mantine/core";
import { useLocation, useRouter } from "@tanstack/react-router";
import { returnAddress } from "#lib/session/return-address.ts";

/** A button back to the screen that required a second factor. */
export default function MethodsReturn() {
  const router = useRouter();
  const { searchStr } = useLocation();
  if (!new URLSearchParams(searchStr).has("redirect")) return null;
  const back = returnAddress(searchStr, location.origin);
  return (
    <Box mt="xl">
      <Button onClick={() => router.history.push(back)}>Back to Administration</Button>
    </Box>
  );
}
