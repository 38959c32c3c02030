import type { SettingsCode } from '@contentflow/core/as-code/settings-code.ts'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import { choiceOf, type Holdout } from '@contentflow/core/experiments/holdout.ts'
import { allFeatures, type Features } from '@contentflow/core/features.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import { preferencePage, type PreferencePage } from '@contentflow/core/identity/consent/preference-page.ts'
import { messageTracking, type MessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import { allProtections, type Protections } from '@contentflow/core/protections.ts'
import type { Change } from '../../infra/change.ts'
import { getSettings, type SettingsRow } from './queries.ts'
import { saveFeatures, saveHoldout, saveLinkSchemes, saveSettings } from './settings.ts'

/** What of the settings is configuration. */
export function settingsOf(row: SettingsRow): SettingsCode {
  const calendar = row.calendar as WorkspaceCalendar | null
  return {
    calendar: calendar && {
      timeZone: calendar.timeZone,
      firstDayOfWeek: calendar.firstDayOfWeek,
      weekend: calendar.weekend,
      hijri: calendar.hijri,
    },
    features: allFeatures(row.features as Partial<Features>),
    publishApproval: row.needs_publish_approval,
    launchProtection: { mode: row.launch_protection, sealAudience: row.seals_audience },
    sensorApproval: row.sensor_approval,
    eventRetentionDays: row.event_retention_days,
    protections: allProtections(row.protections as Partial<Protections>),
    linkSchemes: row.link_schemes as string[] | null,
    webAddress: row.web_address,
    brand: row.brand as Brand | null,
    messageTracking: messageTracking(row.message_tracking as Partial<MessageTracking> | null),
    preferencePage: preferencePage(row.preference_page as Partial<PreferencePage> | null),
    holdout: choiceOf(row.holdout as Holdout | null),
  }
}

/** Those of this module, of a row that is held (`lockSettings`). */
export async function applySettings(change: Change, settings: Partial<SettingsCode>): Promise<void> {
  const {
    calendar,
    features,
    protections,
    linkSchemes,
    webAddress,
    brand,
    messageTracking: tracking,
    preferencePage: page,
    holdout,
  } = settings
  if (calendar !== undefined) await saveSettings(change, { calendar: calendar && JSON.stringify(calendar) })
  if (features !== undefined) await saveFeatures(change, features)
  if (protections !== undefined) await saveSettings(change, { protections: JSON.stringify(protections) })
  if (linkSchemes !== undefined) await saveLinkSchemes(change, linkSchemes)
  if (webAddress !== undefined) await saveSettings(change, { web_address: webAddress })
  if (brand !== undefined) await saveSettings(change, { brand: brand && JSON.stringify(brand) })
  if (tracking !== undefined) await saveSettings(change, { message_tracking: JSON.stringify(tracking) })
  if (page !== undefined) await saveSettings(change, { preference_page: JSON.stringify(page) })
  if (holdout !== undefined) {
    const { holdout: before } = await getSettings(change.tx, change.workspaceId)
    await saveHoldout(change, before as Holdout | null, holdout)
  }
}
