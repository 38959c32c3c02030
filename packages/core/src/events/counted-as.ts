/** What is counted besides the events as such. */
export const COUNTS = ['impressions', 'clicks', 'dismissals', 'conversions'] as const
export type Count = (typeof COUNTS)[number]

/** The types each of them counts (G-47, G-66); any other type counts in the total only. */
export const COUNTED_TYPES: Record<Count, readonly string[]> = {
  impressions: ['impression'],
  clicks: ['click', 'banner_click', 'cta_click'],
  dismissals: ['dismiss'],
  conversions: ['purchase', 'conversion'],
}

/** The same of strings, whose signals count for their string and in totals. */
export const COUNTED_SIGNALS: Partial<Record<Count, string>> = {
  impressions: 'string_impression',
  clicks: 'string_interaction',
}
