import type { Campaign } from '../api.ts'

/** Against what was approved before. */
export function Differences({ campaign: _ }: { campaign: Campaign }) {
  return null
}
