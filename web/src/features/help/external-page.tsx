import { type ExternalView, externalPages } from "@fairway/contract/external-pages";
import { Button } from "@mantine/core";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { IconX } from "#ui/icons/x.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { usePortalSettings } from "#lib/gateway/portal-settings.ts";
import MissingPage from "#parts/missing-page/missing-page.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import classes from "./help.module.css";

const pageQuery = (name: string) =>
  queryOptions({
    queryKey: ["external-page", name],
    queryFn: ({ signal }) => call(externalPages.page, { params: { name } }, { signal }),
    retry: false,
  });

/** An external page in a frame. Without its role, it does not exist. */
export function ExternalPage() {
  const { name = "" }: { name?: string } = useParams({ strict: false });
  const { externalPages: pages } = usePortalSettings();
  const title = pages.find((page) => page.name === name)?.displayName ?? name;
  const query = useQuery(pageQuery(name));
  const { data, error } = query;
  if (error instanceof GatewayError && error.status === 404) return <MissingPage />;
  return (
    <>
      <PageHeader title={title}>{data && <NewTab url={data.url} />}</PageHeader>
      <QueryState query={query} loading={{ label: "Loading the page" }} failed="Error loading page.">
        {(view) =>
          canBeFramed(view) ? (
            <Framed key={name} title={title} view={view} />
          ) : (
            <EmptyState title={`${hostOf(view.url)} cannot be shown here`} action={<NewTab url={view.url} />}>
              The site doesn't allow other sites to show this page.
            </EmptyState>
          )
        }
      </QueryState>
    </>
  );
}

/** Browsers block pages without encryption inside encrypted ones. */
const canBeFramed = ({ url, framing }: ExternalView): boolean =>
  framing !== "refused" && !(location.protocol === "https:" && new URL(url).protocol === "http:");

const hostOf = (url: string): string => new URL(url).host;

function NewTab({ url }: { url: string }) {
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      variant="default"
      leftSection={<IconExternalLink size={16} aria-hidden />}
    >
      Open in a new tab
    </Button>
  );
}

function Framed({ title, view }: { title: string; view: ExternalView }) {
  const [isDismissed, setIsDismissed] = useState(false);
  return (
    <div className={classes["view"]}>
      <iframe title={title} src={view.url} sandbox={sandboxOf(view)} referrerPolicy="no-referrer" />
      {!isDismissed && (
        <section className={classes["overlay"]} aria-label="About this page">
          <p>
            This page belongs to <b>{hostOf(view.url)}</b>. If it doesn't work here, open it in a new tab.
          </p>
          <IconButton label="Dismiss" onClick={() => setIsDismissed(true)}>
            <IconX size={16} aria-hidden />
          </IconButton>
          <NewTab url={view.url} />
        </section>
      )}
    </div>
  );
}

/** A page of the portal's own origin could remove the sandbox if it kept its origin. */
function sandboxOf({ url, allowSameOrigin }: ExternalView): string {
  const keepsOrigin = allowSameOrigin && new URL(url).origin !== location.origin;
  return `allow-scripts allow-forms allow-popups${keepsOrigin ? " allow-same-origin" : ""}`;
}
