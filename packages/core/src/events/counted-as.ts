/** What is counted besides the events as such. */
export const COUNTS = ['impressions', 'clicks', 'dismissals', 'conversions'] as const
export type Count = (typeof COUNTS)[number]

/** The type each of them counts (G-66); any other type counts in the total only. */
export const COUNTED_TYPES: Record<Count, string> = {
  impressions: 'impression',
  clicks: 'cta_click',
  dismissals: 'dismiss',
  conversions: 'purchase',
}

/** The same of strings, whose signals count for their string and in totals. */
export const COUNTED_SIGNALS: Partial<Record<Count, string>> = {
  impressions: 'string_impression',
  clicks: 'string_interaction',
}
