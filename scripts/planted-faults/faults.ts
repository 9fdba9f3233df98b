import { accountFaults } from "./account-faults.ts";
import { dataFaults } from "./data-faults.ts";
import type { Fault } from "./fault.ts";
import { flowDeploymentFaults } from "./flow-deployment-faults.ts";
import { fileFaults } from "./file-faults.ts";
import { flowRequestFaults } from "./flow-request-faults.ts";
import { flowDefinitionFaults } from "./flow-definition-faults.ts";
import { flowScreenFaults } from "./flow-screen-faults.ts";
import { flowRequestPageFaults } from "./flow-request-page-faults.ts";
import { flowDifferenceFaults } from "./flow-difference-faults.ts";
import { helpFaults } from "./help-faults.ts";
import { nifiFaults } from "./nifi-faults.ts";
import { operationFaults } from "./operation-faults.ts";
import { otherScreenFaults } from "./other-screen-faults.ts";
import { personalFaults } from "./personal-faults.ts";
import { previewFaults } from "./preview-faults.ts";
import { providerFaults } from "./provider-faults.ts";
import { queryServerFaults } from "./query-server-faults.ts";
import { sdkFaults } from "./sdk-faults.ts";
import { searchScreenFaults } from "./search-screen-faults.ts";
import { textFaults } from "./text-faults.ts";

export const faults: readonly Fault[] = [
  ...accountFaults,
  ...dataFaults,
  ...flowDeploymentFaults,
  ...fileFaults,
  ...personalFaults,
  ...searchScreenFaults,
  ...otherScreenFaults,
  ...flowScreenFaults,
  ...previewFaults,
  ...flowDefinitionFaults,
  ...helpFaults,
  ...flowRequestFaults,
  ...flowRequestPageFaults,
  ...sdkFaults,
  ...nifiFaults,
  ...queryServerFaults,
  ...providerFaults,
  ...textFaults,
  ...flowDifferenceFaults,
  ...operationFaults,
];
