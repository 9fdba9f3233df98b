import { useMediaQuery } from "@mantine/hooks";

/** Whether the content has the whole width, and what is above it has to be low. */
export const useIsPhone = (): boolean => useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false }) ?? false;
