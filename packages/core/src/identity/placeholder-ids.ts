/**
 * User ids that an app with a fault sends for everybody: the text of a value that was not there. All of its people would be one
 * person, who has what every one of them said and gets what was meant for each.
 */
export const PLACEHOLDER_IDS: readonly string[] = [
  'null',
  'undefined',
  'nan',
  '[object object]',
  'none',
  'nil',
  '(null)',
  '<null>',
  'anonymous',
  'guest',
  'unknown',
  '00000000-0000-0000-0000-000000000000',
]

/** Devices of one such id are counted up to here: whoever has as many is not one person. */
export const PLACEHOLDER_DEVICES_COUNTED = 1_000

const KNOWN = new Set(PLACEHOLDER_IDS)

/** Whatever its case and the blanks around it; an id of blanks alone is one too. */
export function isPlaceholderId(userId: string): boolean {
  const text = userId.trim().toLowerCase()
  return text === '' || KNOWN.has(text)
}
