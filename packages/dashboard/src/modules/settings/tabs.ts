/** The parts of the settings, in the order of their list; the last one is about the person, not the workspace. */
export const TABS = [
  'workspace',
  'members',
  'access',
  'keys',
  'sign-in',
  'protection',
  'languages',
  'calendar',
  'brand',
  'publishing',
  'channels',
  'topics',
  'webhooks',
  'features',
  'environments',
  'data',
  'audit',
  'account',
] as const
export type Tab = (typeof TABS)[number]

export function isTab(text: string): text is Tab {
  return (TABS as readonly string[]).includes(text)
}
