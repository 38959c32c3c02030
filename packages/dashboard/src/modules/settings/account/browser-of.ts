/** Checked in this order, because later browsers also name earlier ones. */
import { cutText } from '@contentflow/core/cut-text.ts'
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const
const LONGEST_NAME = 60

/** Browser and system of a User-Agent, or how a program names itself; undefined where it names nothing. */
export function browserOf(userAgent: string): string | undefined {
  const browser = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser) return system ? `${browser}, ${system}` : browser
  return cutText(userAgent, LONGEST_NAME) || undefined
}
