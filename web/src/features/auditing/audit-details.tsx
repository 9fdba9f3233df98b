import type { AuditEvent } from "@fairway/contract/audit";
import { Button, Group } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import type { ReactNode } from "react";
import { copyText } from "#lib/text/copy.ts";
import { durationText } from "#lib/time/dates.ts";
import { localTime } from "#lib/time/local-time.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { NoUsername } from "./audit-table.tsx";
import classes from "./auditing.module.css";

interface Props {
  opened: boolean;
  /** Kept while the dialog fades out. */
  event: AuditEvent;
  onClose: () => void;
}

/** All details of an audit event. */
export default function AuditDetails({ opened, event, onClose }: Props) {
  const { client, details } = event;
  const copy = async () => {
    if (await copyText(JSON.stringify(event, null, 2))) toastSuccess("Event copied", 1200);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Audit Event" size={640}>
      <dl className={classes["details"]}>
        <Fact name="Time">{localTime(event.requestTimeMs)}</Fact>
        <Fact name="Username">{event.username === "" ? <NoUsername /> : event.username}</Fact>
        <Fact name="User id" code>
          {details.userId ?? "–"}
        </Fact>
        {details.apiKey !== null && <Fact name="API key">{details.apiKey}</Fact>}
        <Fact name="Response code">{event.responseCode}</Fact>
        {details.denied !== undefined && <Fact name="Withheld">{details.denied.join(", ")}</Fact>}
        <Fact name="Method">{event.method}</Fact>
        <Fact name="Path" code>
          {event.path}
        </Fact>
        <Fact name="Route" code>
          {details.route === "" ? "–" : details.route}
        </Fact>
        <Fact name="Duration">{durationText(details.durationMs)}</Fact>
        <Fact name="IP address" code>
          {event.ipAddress}
        </Fact>
        <Fact name="Browser">{orDash(client.browser)}</Fact>
        <Fact name="Operating system">{orDash(client.operatingSystem)}</Fact>
        <Fact name="Device">{orDash(client.device)}</Fact>
        <Fact name="User agent" code>
          {orDash(details.userAgent)}
        </Fact>
        <Fact name="Id" code>
          {event.id}
        </Fact>
      </dl>
      <Group justify="space-between" mt={24}>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
          Copy as JSON
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Dialog>
  );
}

const orDash = (text: string): string => (text === "" ? "–" : text);

function Fact({ name, code = false, children }: { name: string; code?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-code={code || undefined}>{children}</dd>
    </div>
  );
}
