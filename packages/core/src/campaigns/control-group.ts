/** Whether somebody is left out of a campaign, so that it is seen what it changes for the others. */
import { bucketOf } from '../blocks/serving/assign-variant.ts'

/** The salt makes it independent of the variant, which falls by the same hash (G-73). SQL says the same in queries of messages. */
export const CONTROL_SALT = ':control'

/**
 * M-CAMP, G-73: the same for a person each time, on every server and over every channel. `percent`: of a hundred people, 0 or
 * undefined for none. `personId`: undefined is nobody, who cannot be told apart and is not left out.
 */
export function isInControlGroup(
  percent: number | undefined,
  personId: string | undefined,
  campaignId: string,
  hash32: (text: string) => number,
): boolean {
  if (percent === undefined || percent === 0) return false
  const bucket = bucketOf([100], personId, campaignId + CONTROL_SALT, hash32)
  return bucket !== undefined && bucket < percent
}
