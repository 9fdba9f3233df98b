import { filesets as filesetRoutes } from "@fairway/contract/filesets";
import { pluralize } from "@fairway/contract/counts";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import { useMantineColorScheme } from "@mantine/core";
import { IconBell } from "#ui/icons/bell.ts";
import { IconClock } from "#ui/icons/clock.ts";
import { IconDatabase } from "#ui/icons/database.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import { IconHelpCircle } from "#ui/icons/help-circle.ts";
import { IconKeyboard } from "#ui/icons/keyboard.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconLogout } from "#ui/icons/logout.ts";
import { IconMessage } from "#ui/icons/message.ts";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import { IconTerminal2 } from "#ui/icons/terminal-2.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import { useFlowMembership } from "#lib/screens/flow-membership.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { usePortal, usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { isScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { boardsQuery } from "#parts/boards/queries.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { announcedKind } from "#parts/dataset-announcements/announcement-text.ts";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { titleOf, useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { faqQuery } from "#parts/help/faq.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import { groupAlike } from "#parts/open-searches/alike-searches.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { openHelpFile } from "../tour/help-file.ts";
import { logout } from "../session/logout.ts";
import { themes } from "../frame/more-menu.tsx";
import type { NavigationEntry } from "../frame/navigation-entries.ts";
import { openOverlay } from "../frame/overlays.ts";
import { startText, summary } from "#parts/open-searches/search-summary.ts";
import { useHasTutorials } from "../tour/tutorials.ts";
import type { PaletteItem } from "./palette-match.ts";
import { paletteScreens } from "./palette-screens.ts";

/** The same as the file browser's, which the palette would load with it. */
const filesetsQuery = queryOptions({
  queryKey: ["filesets"],
  queryFn: ({ signal }) => call(filesetRoutes.list, {}, { signal }),
});

export interface PaletteAction extends PaletteItem {
  icon: IconComponent;
  run: () => void;
}

/** All items of the palette, in the order of its groups. */
export function usePaletteItems(): { items: PaletteAction[]; datasetsFailed: boolean } {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { data: categories = [], isError } = useQuery(datasetsQuery);
  const announcements = useAnnouncements();
  const own = useOwnDatasets();
  const { data: filesets = [] } = useQuery(filesetsQuery);
  const { data: boards = [] } = useQuery(boardsQuery);
  const records = useOpenSearches((state) => state.records);
  const { roles, passwordless: isPasswordless = false } = useCurrentUser();
  const settings = usePortalSettings();
  const hasTutorials = useHasTutorials();
  const isFlowMember = useFlowMembership((state) => state.isMember);
  const { data: questions = [] } = useQuery(faqQuery);
  const ui = usePortal((portal) => portal.ui);
  const mayAddData = useDataDoor().kind !== "hidden" && !isScreenDisabled("AddData", settings.disabledLinks);
  const feedbackEnabled = usePortal(({ ui }) => ui?.feedbackEnabled === true);

  const items = useMemo(
    (): PaletteAction[] => [
      ...categories.flatMap(({ id: category, datasets }) =>
        datasets.map(({ datasetId }) => ({
          id: `dataset ${category} ${datasetId}`,
          group: "Datasets",
          label: titleOf(own, { datasetCategory: category, datasetId }),
          detail: [isOwnCategory(category) ? "Own data" : category, announcedKind(announcements, { datasetCategory: category, datasetId })]
            .filter(Boolean)
            .join(" · "),
          icon: IconDatabase,
          run: () => void navigate({ to: "/search", search: { category, dataset: datasetId } }),
        })),
      ),
      ...(isScreenDisabled("Filesets", settings.disabledLinks) ? [] : filesets).map(({ id, description }) => ({
        id: `fileset ${id}`,
        group: "Filesets",
        label: id,
        detail: description,
        icon: IconFolder,
        run: () => void navigate({ to: "/filesets", search: { fileset: id } }),
      })),
      ...(isScreenDisabled("Boards", settings.disabledLinks) ? [] : boards).map(({ id, name, panels, can, owner }) => ({
        id: `board ${id}`,
        group: "Boards",
        label: name,
        detail: can === "own" ? pluralize(panels, "panel") : `shared by ${owner || "a deleted account"}`,
        icon: IconLayoutDashboard,
        run: () => void navigate({ to: "/boards/$boardId", params: { boardId: id } }),
      })),
      ...groupAlike(records).map(([record]) => ({
        id: `recent ${record.id}`,
        group: "Recent searches",
        label: record.datasetDescription.datasetId,
        detail: `${summary(record)}, ${startText(record.timestamp)}`,
        icon: IconClock,
        run: () => void navigate({ to: "/search/$searchId", params: { searchId: record.id }, hash: searchFragment(record) }),
      })),
      ...paletteScreens({ roles, settings, ui, hasTutorials, isFlowMember, isPasswordless }).flatMap(
        ({ label: group, icon: groupIcon, entries }) =>
          entries.map((entry) => ({
            id: `screen ${group} ${entryId(entry)}`,
            group: "Screens",
            label: entry.label,
            detail: group,
            icon: ("screen" in entry ? entry.icon : undefined) ?? groupIcon,
            run: () => openEntry(entry, navigate),
          })),
      ),
      ...(isScreenDisabled("FAQ", settings.disabledLinks) ? [] : questions).map(({ id, question }) => ({
        id: `question ${id}`,
        group: "Questions",
        label: question,
        detail: "FAQ",
        icon: IconHelpCircle,
        run: () => void navigate({ to: "/FAQ", search: { question: id } }),
      })),
      ...(isScreenDisabled("DatasetUse", settings.disabledLinks) ? [] : categories).flatMap(({ id: datasetCategory, datasets }) =>
        datasets.map(({ datasetId }) => ({
          askedBy: ["use", "elsewhere"],
          id: `use ${datasetCategory} ${datasetId}`,
          group: "Programs",
          label: `Use elsewhere: ${datasetId}`,
          detail: datasetCategory,
          icon: IconTerminal2,
          run: () => void navigate({ to: "/data-catalog/$datasetCategory/$datasetId/use", params: { datasetCategory, datasetId } }),
        })),
      ),
      ...themes.map(({ scheme, label, icon }) => ({
        id: `theme ${scheme}`,
        group: "Actions",
        label: `Theme: ${label}`,
        icon,
        run: () => setColorScheme(scheme),
      })),
      ...(mayAddData
        ? [{ id: "add-data", group: "Actions", label: "Add data", icon: IconTablePlus, run: () => void navigate({ to: "/add-data" }) }]
        : []),
      ...(feedbackEnabled
        ? [{ id: "feedback", group: "Actions", label: "Submit Feedback", icon: IconMessage, run: () => openOverlay("feedback") }]
        : []),
      { id: "notifications", group: "Actions", label: "Notifications", icon: IconBell, run: () => openOverlay("notifications") },
      { id: "shortcuts", group: "Actions", label: "Keyboard shortcuts", icon: IconKeyboard, run: () => openOverlay("shortcuts") },
      { id: "logout", group: "Actions", label: "Logout", icon: IconLogout, run: () => void logout() },
    ],
    [
      categories,
      announcements,
      own,
      filesets,
      boards,
      records,
      roles,
      settings,
      ui,
      hasTutorials,
      isFlowMember,
      isPasswordless,
      questions,
      feedbackEnabled,
      mayAddData,
      navigate,
      setColorScheme,
    ],
  );
  return { items, datasetsFailed: isError };
}

function entryId(entry: NavigationEntry): string {
  if ("screen" in entry) return entry.label;
  if ("tool" in entry) return `tool ${entry.tool}`;
  return "page" in entry ? `page ${entry.page}` : `file ${entry.helpFile}`;
}

function openEntry(entry: NavigationEntry, navigate: ReturnType<typeof useNavigate>): void {
  if ("screen" in entry) void navigate({ to: entry.to });
  else if ("tool" in entry) void navigate({ to: "/tools", search: { name: entry.tool } });
  else if ("page" in entry) void navigate({ to: "/external/$name", params: { name: entry.page } });
  else openHelpFile({ name: entry.helpFile, display: entry.label });
}
