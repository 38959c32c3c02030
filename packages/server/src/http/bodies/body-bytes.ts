/**
 * The largest body of each route that takes more than `LIMITS.smallBodyBytes`, computed from the documented limits of its
 * parts. A route names its own as `bodyLimit`; G-13 limits all of them, and for routes of apps it is the only limit.
 */
import { LIMITS } from '@contentflow/core/limits.ts'

/** Bytes of JSON for one byte of UTF-8, from writers that send ASCII only: `\u0645` for the two bytes of م. */
const ESCAPED = 3
/** Bytes of JSON for one UTF-16 unit, from the same writers. */
const UNIT = 6
/** Bytes around the values of each row of a list: names of members, quotation marks, ids. */
const ROW = 1_000

const management = (bytes: number) => Math.min(LIMITS.managementBodyBytes, LIMITS.smallBodyBytes + bytes)

export const BODY_BYTES = {
  /** Fields and values of a block, each of up to `LIMITS.valueBytes`; manifests of them. */
  content: LIMITS.managementBodyBytes,
  text: management((LIMITS.stringTextLength + LIMITS.stringDescriptionLength) * UNIT),
  /** Every declared type of a workspace. */
  eventTypes: management(LIMITS.eventDeclarationsLength * ESCAPED),
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
  /** The texts of one message, and a mail of sections. */
  message: management(LIMITS.mailCharacters * UNIT),
  /** Up to 500 steps with their texts in every language. */
  journey: LIMITS.managementBodyBytes,
} as const
