import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { Channels } from '@contentflow/core/identity/consent/consent.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { DeviceRow, ProfileRow } from './queries.ts'

/**
 * What rules can ask about a person. With `device` it is the block path: that installation's own traits, platform and consent
 * an installation without traits of its own since its user signed in uses those of the person. Without `device` it is
 * the stored membership: what the device that identified last said. The SQL evaluator reads the same columns; any difference
 * between the two is a defect. `histories`: what they did; needed where rules on events are asked.
 */
export function subjectOf(profile: ProfileRow, now: number, device?: DeviceRow, histories?: Histories): Subject {
  const source = device ?? profile
  const lastActiveAt = profile.last_active_at?.getTime()
  const analytics = device ? (device.consent === 'unknown' ? null : device.consent === 'granted') : profile.analytics
  return {
    traits: (device && hasMembers(device.traits) ? device.traits : profile.traits) as JsonObject,
    demographic: known({
      name: profile.name,
      email: profile.email,
      phone: profile.phone,
      country: profile.country,
      language: profile.language,
    }),
    behavioral: {
      ...(profile.behavioral as Subject['behavioral']),
      ...(lastActiveAt !== undefined && { lastActiveDays: Math.max(0, Math.floor((now - lastActiveAt) / DAY_MS)) }),
    },
    device: known({ platform: source.platform, sdkVersion: source.sdk_version, locale: source.locale }),
    consent: { ...(profile.channels as Channels), ...(analytics !== null && { analytics }) },
    location: profile.location as Subject['location'],
    metadata: {
      createdAt: profile.created_at.toISOString(),
      ...(profile.last_seen_at && { lastSeenAt: profile.last_seen_at.toISOString() }),
      environment: profile.environment,
    },
    enrichment: profile.enrichment as JsonObject,
    industryProfile: profile.industry as JsonObject,
    lifecycle: {
      createdAt: profile.created_at.getTime(),
      ...(lastActiveAt !== undefined && { lastActiveAt }),
      recentEvents: profile.recent_events,
    },
    ...(histories && { events: histories }),
    ...(profile.current_location !== null && { currentLocation: profile.current_location as NonNullable<Subject['currentLocation']> }),
  }
}

function hasMembers(value: unknown): boolean {
  return Object.keys(value as JsonObject).length > 0
}

/** Leaves out members that are null, because rules take a member that is there as existing. */
function known<T extends Record<string, string | null>>(members: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as { [K in keyof T]?: string }
}
