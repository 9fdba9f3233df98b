import { type FilesetFile, filesets } from "@fairway/contract/filesets";
import type { ContractGateway } from "./contract-gateway.ts";

interface FakeFileset {
  readonly allowsUploads?: boolean;
  /** Sizes in bytes by path. */
  readonly files: Readonly<Record<string, number>>;
  /** Entries per page. Default: all. */
  readonly pageSize?: number;
}

const fileOf = (filename: string, size: number): FilesetFile => ({ filename, size, lastModified: "2026-11-12T09:14:02.000Z" });

/** Answers the list of filesets and the listings of their folders. */
export function serveFilesets(
  gateway: ContractGateway,
  served: Readonly<Record<string, FakeFileset>>,
  hidden: readonly string[] = [],
): void {
  gateway.answer(
    filesets.list,
    Object.entries(served)
      .filter(([id]) => !hidden.includes(id))
      .map(([id, { allowsUploads = false }]) => ({ id, description: "", allowsUploads })),
  );
  gateway.answer(filesets.listing, ({ params, query: { listPrefix, continuationToken } }) => {
    const { files = {}, pageSize = Number.POSITIVE_INFINITY } = served[params.id] ?? {};
    const names = new Set(
      Object.keys(files)
        .filter((path) => path.startsWith(listPrefix))
        .map((path) => {
          const slash = path.indexOf("/", listPrefix.length);
          return slash < 0 ? path : path.slice(0, slash + 1);
        }),
    );
    const from = Number(continuationToken ?? 0);
    const page = [...names].slice(from, from + pageSize);
    return {
      files: page.filter((name) => !name.endsWith("/")).map((name) => fileOf(name, files[name] ?? 0)),
      commonPrefixes: page.filter((name) => name.endsWith("/")),
      nextContinuationToken: from + pageSize < names.size ? String(from + pageSize) : null,
    };
  });
}
