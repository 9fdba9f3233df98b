import { type DocEntry, videoCategory } from "@fairway/contract/docs";
import { skipToken, useQuery } from "@tanstack/react-query";

/** Whether there are tutorial videos, as far as the docs are loaded. */
export function useHasTutorials(): boolean {
  const { data = [] } = useQuery<DocEntry[]>({ queryKey: ["docs"], queryFn: skipToken });
  return data.some(({ category }) => category === videoCategory);
}
