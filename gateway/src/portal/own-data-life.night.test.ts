import { describeOwnDataLife } from "#testing/own-data-life-suite.ts";

describeOwnDataLife("on the disk");
