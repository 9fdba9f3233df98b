import { filesets } from "@fairway/contract/filesets";
import { queryOptions } from "@tanstack/react-query";
import { call, urlOf } from "#lib/gateway/call.ts";
import { type FolderItem, itemsOf } from "./folder.ts";

/** The filesets that this user may read, without the one that holds the help. */
export const filesetsQuery = queryOptions({
  queryKey: ["filesets"],
  queryFn: ({ signal }) => call(filesets.list, {}, { signal }),
});

/** The loaded part of a folder. */
export interface Folder {
  items: readonly FolderItem[];
  /** Start of the next page; null once everything has come. */
  nextToken: string | null;
  /** For administrators: names that cannot be shown, as JSON writes them. */
  leftOut: readonly string[];
}

/**
 * A folder of a fileset. The first page is available at once, and the others as they come: each time a quarter more than before,
 * so that a large folder is not sorted once per page. After a failure it continues where it stopped.
 */
export const folderQuery = (fileset: string, path: string) =>
  queryOptions<Folder>({
    queryKey: ["filesets", "folder", fileset, path],
    queryFn: async ({ signal, client, queryKey }) => {
      const listPrefix = path === "" ? "" : `${path}/`;
      const cached = client.getQueryData<Folder>(queryKey);
      const isReload = cached?.nextToken === null;
      const items = isReload ? [] : [...(cached?.items ?? [])];
      const leftOut = isReload ? [] : [...(cached?.leftOut ?? [])];
      let token = cached?.nextToken ?? null;
      let published = items.length;
      for (;;) {
        const query = { listPrefix, ...(token === null ? {} : { continuationToken: token }) };
        const page = await call(filesets.listing, { params: { id: fileset }, query }, { signal });
        for (const item of itemsOf(page, listPrefix)) items.push(item);
        leftOut.push(...(page.leftOut ?? []));
        token = page.nextContinuationToken;
        if (token === null) return { items, nextToken: null, leftOut };
        if (isReload || items.length < published * 1.25) continue;
        client.setQueryData<Folder>(queryKey, { items: [...items], nextToken: token, leftOut: [...leftOut] });
        published = items.length;
      }
    },
    // Comparing 100,000 items with the previous ones takes longer than drawing them.
    structuralSharing: false,
    staleTime: ({ state: { data } }) => (data?.nextToken ? 0 : 60_000),
    gcTime: 120_000,
  });

/** Address of a file's download, relative to the origin. Plain links work by the session's cookie. */
export const fileUrl = (fileset: string, path: string): string => urlOf(filesets.download, { id: fileset }, { file: path });
