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
  users: entityRoutes("users", "user", userDraft),
  groups: entityRoutes("groups", "group", groupDraft),
  roles: entityRoutes("roles", "role", roleDraft),
  notices: entityRoutes("notices", "notice", noticeEntity),
  "torch-service": entityRoutes("torch-service", "torch service", torchService),
  ecosystems: entityRoutes("ecosystems", "ecosystem", ecosystem),
  "datasets/internal": entityRoutes("datasets/internal", "internal dataset", internalDataset),
  "datasets/external": entityRoutes("datasets/external", "external dataset", externalDataset),
  filesets: entityRoutes("filesets", "fileset", fileset),
  config: entityRoutes("config", "configuration", configuration),
  docs: entityRoutes("docs", "doc", doc),
  flowGroups: entityRoutes("flowGroups", "flow group", flowGroup),
  flowEnvironments: entityRoutes("flowEnvironments", "flow environment", flowEnvironment),
  joltSpecifications: entityRoutes("joltSpecifications", "Jolt specification", joltSpecification),
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
