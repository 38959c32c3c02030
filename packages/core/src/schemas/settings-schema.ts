/** The settings of a workspace document. */
import type { SettingsCode } from '../as-code/settings-code.ts'
import { LAUNCH_PROTECTIONS } from '../campaigns/status.ts'
import { FEATURES } from '../features.ts'
import { LIMITS } from '../limits.ts'
import { PROTECTIONS } from '../protections.ts'
import { flag, list, object, oneOf, orNull, text, whole, type JsonSchema } from './json-schema.ts'

const switches = (description: string, names: readonly string[]) =>
  object(description, Object.fromEntries(names.map((name) => [name, flag('')])), { isClosed: true })
const day = (description: string) => whole(`${description}; 0 is Sunday`, 0, 6)

/** Inner members of the last four are read by rules of their own. */
const SETTINGS = {
  calendar: orNull(
    object(
      'How the workspace counts its days',
      {
        timeZone: text('A name of the zone database, such as Asia/Riyadh'),
        firstDayOfWeek: day('The first day of a week'),
        weekend: { ...list('Days off', day('A day'), { most: 6 }), uniqueItems: true },
        hijri: flag('Whether Hijri dates stand beside the others'),
      },
      { required: ['timeZone', 'firstDayOfWeek', 'weekend', 'hijri'] },
    ),
  ),
  features: switches('One that is left out is on', FEATURES),
  publishApproval: flag('Whether publishing to live takes a second person'),
  launchProtection: object(
    'What launching a campaign takes',
    { mode: oneOf('Who launches', LAUNCH_PROTECTIONS), sealAudience: flag('Whether its people are fixed by the approval') },
    { required: ['mode', 'sealAudience'] },
  ),
  sensorApproval: flag('Whether switching sensors takes a second person'),
  eventRetentionDays: whole('How long events are kept', 1, LIMITS.eventRetentionDaysMax),
  protections: switches('One that is left out is off', PROTECTIONS),
  linkSchemes: { type: ['array', 'null'], description: 'Schemes of links that are taken; null: all that are not refused everywhere' },
  webAddress: { type: ['string', 'null'], description: 'What paths in messages begin with' },
  brand: { type: ['object', 'null'], description: 'What mails of sections look like, and say of the company' },
  messageTracking: { description: 'Of whom openings and clicks of messages are counted' },
  preferencePage: { description: 'The page on which people choose what they get' },
  holdout: { description: 'Whom nothing is written to' },
} satisfies Record<keyof SettingsCode, JsonSchema>

export const settingsSchema: JsonSchema = object('Each setting stands for itself: one that is left out stays', SETTINGS, { isClosed: true })
