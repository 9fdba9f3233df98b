import type { z } from "zod";
import { groupDraft, roleDraft, userDraft } from "./accounts.ts";
import { configuration, doc, ecosystem, fileset, flowEnvironment, flowGroup, torchService } from "./configured.ts";
import { entityRoutes } from "./entities.ts";
import { externalDataset } from "./external-datasets.ts";
import { internalDataset } from "./internal-datasets.ts";
import { joltSpecification } from "./jolt.ts";
import { noticeEntity } from "./notices.ts";

/** The calls of each type, by its path segment. Another type is one line here and its description in the gateway. */
export const administration = {
  users: entityRoutes("users", "user"),
  groups: entityRoutes("groups", "group"),
  roles: entityRoutes("roles", "role"),
  notices: entityRoutes("notices", "notice"),
  "torch-service": entityRoutes("torch-service", "torch service"),
  ecosystems: entityRoutes("ecosystems", "ecosystem"),
  "datasets/internal": entityRoutes("datasets/internal", "internal dataset"),
  "datasets/external": entityRoutes("datasets/external", "external dataset"),
  filesets: entityRoutes("filesets", "fileset"),
  config: entityRoutes("config", "configuration"),
  docs: entityRoutes("docs", "doc"),
  flowGroups: entityRoutes("flowGroups", "flow group"),
  flowEnvironments: entityRoutes("flowEnvironments", "flow environment"),
  joltSpecifications: entityRoutes("joltSpecifications", "Jolt specification"),
} as const;
export type AdministeredType = keyof typeof administration;

/** What the body of each type has to be, for checks while one types. */
export const administeredSchemas: Record<AdministeredType, z.ZodType> = {
  users: userDraft,
  groups: groupDraft,
  roles: roleDraft,
  notices: noticeEntity,
  "torch-service": torchService,
  ecosystems: ecosystem,
  "datasets/internal": internalDataset,
  "datasets/external": externalDataset,
  filesets: fileset,
  config: configuration,
  docs: doc,
  flowGroups: flowGroup,
  flowEnvironments: flowEnvironment,
  joltSpecifications: joltSpecification,
};
