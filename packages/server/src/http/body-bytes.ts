/**
 * The largest body of each route that takes more than `LIMITS.smallBodyBytes`, worked out from the documented limits of
 * what stands in it. A route names its own as `bodyLimit`; G-13 holds above all of them.
 */
import { LIMITS } from '@contentflow/core/limits.ts'

/** Bytes of JSON for one byte of UTF-8, of writers that send ASCII only: `\u0645` for the two bytes of م. */
const ESCAPED = 3
/** The same for one UTF-16 unit. */
const UNIT = 6
/** What stands around each row of a list: names of members, quotation marks, ids. */
const ROW = 1_000

const client = (bytes: number) => Math.min(LIMITS.clientBodyBytes, LIMITS.smallBodyBytes + bytes)
const management = (bytes: number) => Math.min(LIMITS.managementBodyBytes, LIMITS.smallBodyBytes + bytes)

export const BODY_BYTES = {
  identify: client(LIMITS.traits * ESCAPED * (LIMITS.traitBytes + 100)),
  /** A sign-in has the properties of an event. */
  trackEvent: client(LIMITS.traitBytes * ESCAPED),
  profile: client(LIMITS.industryBytes * ESCAPED),
  /** C-LIMIT-20: what else an event carries is not bounded. */
  events: LIMITS.clientBodyBytes,
  location: client(2 * LIMITS.locationPoints * ROW),
  pushToken: client((LIMITS.pushTokenLength + LIMITS.hmsAppIdLength + LIMITS.userIdLength) * UNIT),
  /** Fields and values of a block, each of up to `LIMITS.valueBytes`; manifests of them. */
  content: LIMITS.managementBodyBytes,
  text: management((LIMITS.stringTextLength + LIMITS.stringDescriptionLength) * UNIT),
  stringKeys: management(LIMITS.stringsPerDisable * (LIMITS.stringKeyLength * UNIT + 10)),
  strings: LIMITS.managementBodyBytes,
  import: management(LIMITS.importBytes * ESCAPED),
  /** Headings, columns and their labels and lists of values. */
  mapping: LIMITS.clientBodyBytes,
  importRows: LIMITS.managementBodyBytes,
  contacts: management(LIMITS.bulkPeople * 2 * ROW),
  userIds: management(LIMITS.bulkPeople * (LIMITS.userIdLength * UNIT + 10)),
  /** Rules have up to 500 conditions, and a condition a value of up to 4,096 characters. */
  segment: LIMITS.clientBodyBytes,
  /** Texts in every language, with variants. */
  campaign: LIMITS.clientBodyBytes,
  /** Up to 500 steps with their texts in every language. */
  journey: LIMITS.managementBodyBytes,
  /** Free objects of an app, none of which is kept. */
  campaignContext: LIMITS.clientBodyBytes,
} as const
