/** The switches of a workspace, in the documents' spelling (C-FLAG-01, C-FLAG-02). All are on unless switched off. */
export const FEATURES = [
  'campaigns',
  'live_updates',
  'location',
  'frequency_caps',
  'contentSync',
  'strings',
  'analyticsEvents',
  'pushPreferences',
  'geofences',
  'profileUpdates',
] as const
export type FeatureName = (typeof FEATURES)[number]
export type Features = Record<FeatureName, boolean>

/** All ten, from the stored ones that differ from the default. */
export function allFeatures(stored: Partial<Features>): Features {
  return Object.fromEntries(FEATURES.map((name) => [name, stored[name] ?? true])) as Features
}
