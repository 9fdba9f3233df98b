import { describe, expect, it } from "vitest";
import { compareFlows, type FlowDifferences } from "./compare-flows.ts";
import { read } from "./test-flow.ts";

const summary = ({ changes }: FlowDifferences) =>
  changes.map((change) => {
    const { kind, name } = "after" in change ? change.after : change.before;
    return [change.kind, kind, name, ...(change.kind === "changed" ? [change.field] : [])].join(" ");
  });

describe("a template and the flow definition of the same process group", () => {
  const entry = (key: string, value: string) => `<entry><key>${key}</key><value>${value}</value></entry>`;
  /** As NiFi 1.x writes a running flow that is under version control, with the ids of its canvas. */
  const template = (inside = { directory: "/data", retries: "<retryCount>10</retryCount>" }) =>
    read(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<template encoding-version="1.3"><description>For the archive</description><groupId>6a21eb84-c6d0-3fda</groupId><name>stations of May</name><snippet>
  <controllerServices><id>0f3b-svc</id><versionedComponentId>v-svc</versionedComponentId><parentGroupId>0f3b-root</parentGroupId>
    <name>Reader</name><type>org.apache.nifi.csv.CSVReader</type><state>ENABLED</state><persistsState>false</persistsState></controllerServices>
  <processGroups><id>0f3b-group</id><parentGroupId>0f3b-root</parentGroupId><position><x>400.0</x><y>0.0</y></position>
    <versionedComponentId>v-group</versionedComponentId><name>Stations</name><comments/><runningCount>2</runningCount>
    <flowfileConcurrency>UNBOUNDED</flowfileConcurrency><flowfileOutboundPolicy>STREAM_WHEN_AVAILABLE</flowfileOutboundPolicy>
    <contents>
      <connections><id>0f3b-c1</id><versionedComponentId>v-c1</versionedComponentId><parentGroupId>0f3b-group</parentGroupId>
        <source><groupId>0f3b-group</groupId><id>0f3b-p1</id><type>PROCESSOR</type></source>
        <destination><groupId>0f3b-group</groupId><id>0f3b-p2</id><type>PROCESSOR</type></destination>
        <selectedRelationships>success</selectedRelationships><loadBalancePartitionAttribute>station</loadBalancePartitionAttribute>
        <backPressureObjectThreshold>10000</backPressureObjectThreshold><zIndex>0</zIndex></connections>
      <inputPorts><id>0f3b-i</id><versionedComponentId>v-i</versionedComponentId><name>in</name><type>INPUT_PORT</type><state>RUNNING</state>
        <position><x>0.0</x><y>0.0</y></position><concurrentlySchedulableTaskCount>1</concurrentlySchedulableTaskCount>
        <userAccessControl>cn=ada</userAccessControl></inputPorts>
      <labels><id>0f3b-l</id><versionedComponentId>v-l</versionedComponentId><label>Every hour</label><width>148.0</width><height>60.5</height>
        <position><x>0.0</x><y>300.0</y></position></labels>
      <processors><id>0f3b-p1</id><versionedComponentId>v-p1</versionedComponentId><name>Fetch</name><type>x.Fetch</type><state>RUNNING</state>
        <position><x>0.0</x><y>0.0</y></position><config><schedulingPeriod>1 hour</schedulingPeriod><lossTolerant>false</lossTolerant>
        <properties>${entry("Record Reader", "0f3b-svc")}</properties></config><validationStatus>VALID</validationStatus></processors>
      <processors><id>0f3b-p2</id><versionedComponentId>v-p2</versionedComponentId><name>Put</name><type>x.Put</type><state>STOPPED</state>
        <position><x>500.0</x><y>0.0</y></position><config><schedulingPeriod>0 sec</schedulingPeriod>${inside.retries}
        <properties>${entry("Directory", inside.directory)}</properties></config></processors>
      <remoteProcessGroups><id>0f3b-r</id><versionedComponentId>v-r</versionedComponentId><name>Site</name>
        <targetUri>https://example.org/nifi</targetUri><targetUris>https://example.org/nifi</targetUris><transmitting>true</transmitting>
        <authorizationIssues>none</authorizationIssues>
        <contents><inputPorts><id>0f3b-ri</id><versionedComponentId>v-ri</versionedComponentId><groupId>0f3b-r</groupId><name>inbox</name>
          <targetId>t-1</targetId><useCompression>false</useCompression>
          <batchSettings><count>100</count><size>1 MB</size></batchSettings></inputPorts></contents></remoteProcessGroups>
    </contents></processGroups>
</snippet><timestamp>05/01/2026 10:00:00 UTC</timestamp></template>`);
  const definition = read(
    JSON.stringify({
      flowContents: {
        identifier: "v-group",
        instanceIdentifier: "0f3b-group",
        name: "Stations",
        comments: "",
        position: { x: 0, y: 0 },
        flowFileConcurrency: "UNBOUNDED",
        flowFileOutboundPolicy: "STREAM_WHEN_AVAILABLE",
        defaultFlowFileExpiration: "0 sec",
        controllerServices: [{ identifier: "v-svc", name: "Reader", type: "org.apache.nifi.csv.CSVReader", scheduledState: "DISABLED" }],
        inputPorts: [
          {
            identifier: "v-i",
            name: "in",
            type: "INPUT_PORT",
            position: { x: 0, y: 0 },
            scheduledState: "ENABLED",
            allowRemoteAccess: false,
            portFunction: "STANDARD",
            concurrentlySchedulableTaskCount: 1,
          },
        ],
        labels: [{ identifier: "v-l", label: "Every hour", width: 148, height: 60.5, position: { x: 0, y: 300 } }],
        processors: [
          {
            identifier: "v-p2",
            name: "Put",
            type: "x.Put",
            scheduledState: "ENABLED",
            position: { x: 500, y: 0 },
            schedulingPeriod: "0 sec",
            retryCount: 10,
            properties: { Directory: "/data" },
          },
          {
            identifier: "v-p1",
            name: "Fetch",
            type: "x.Fetch",
            scheduledState: "RUNNING",
            position: { x: 0, y: 0 },
            schedulingPeriod: "1 hour",
            retryCount: 10,
            properties: { "Record Reader": "v-svc" },
          },
        ],
        connections: [
          {
            identifier: "v-c1",
            source: { id: "v-p1", groupId: "v-group", type: "PROCESSOR", name: "Fetch" },
            destination: { id: "v-p2", groupId: "v-group", type: "PROCESSOR", name: "Put" },
            selectedRelationships: ["success"],
            partitioningAttribute: "station",
            loadBalanceStrategy: "DO_NOT_LOAD_BALANCE",
            backPressureObjectThreshold: 10_000,
            zIndex: 0,
          },
        ],
        remoteProcessGroups: [
          {
            identifier: "v-r",
            name: "Site",
            targetUris: "https://example.org/nifi",
            inputPorts: [
              {
                identifier: "v-ri",
                name: "inbox",
                targetId: "t-1",
                remoteGroupId: "v-r",
                useCompression: false,
                scheduledState: "ENABLED",
                batchSize: { count: 100, size: "1 MB" },
              },
            ],
          },
        ],
      },
      flowEncodingVersion: "1.0",
    }),
  );

  it("have no differences: neither ids, nor what runs, nor how each format writes a value", () => {
    expect(summary(compareFlows(template(), definition))).toEqual([]);
    expect(summary(compareFlows(definition, template()))).toEqual([]);
  });

  it("differ in what really differs", () => {
    expect(summary(compareFlows(template({ directory: "/archive", retries: "<retryCount>3</retryCount>" }), definition))).toEqual([
      "changed processor Put retryCount",
      "changed processor Put properties.Directory",
    ]);
    // NiFi before 1.16 knows no retries: they get its default.
    expect(summary(compareFlows(template({ directory: "/data", retries: "" }), definition))).toEqual([]);
  });

  it("are the same if the template was made of single components, which have no group in it", () => {
    const flow = (processor: object) =>
      read(
        JSON.stringify({
          flowContents: {
            identifier: "v-group",
            name: "Stations",
            comments: "All",
            processors: [{ identifier: "v-p1", name: "Fetch", type: "x.Fetch", ...processor }],
          },
        }),
      );
    const snippet = read(
      "<template><name>fetch only</name><description/><snippet><processors><id>0f3b</id><name>Fetch</name><type>x.Fetch</type></processors></snippet></template>",
    );
    expect(summary(compareFlows(snippet, flow({})))).toEqual([]);
    expect(summary(compareFlows(snippet, flow({ schedulingPeriod: "1 hour" })))).toEqual(["changed processor Fetch schedulingPeriod"]);
  });

  it("of a group around it differ by that group only", () => {
    const around = read(
      JSON.stringify({
        flowContents: {
          identifier: "v-around",
          name: "Around",
          processGroups: [
            { identifier: "v-group", name: "Stations", processors: [{ identifier: "v-p1", name: "Fetch", type: "x.Fetch" }] },
          ],
        },
      }),
    );
    const snippet = read(
      "<template><name>t</name><snippet><processGroups><id>g</id><name>Stations</name><contents><processors><id>0f3b</id><name>Fetch</name><type>x.Fetch</type></processors></contents></processGroups></snippet></template>",
    );
    expect(summary(compareFlows(snippet, around))).toEqual([]);
  });
});
