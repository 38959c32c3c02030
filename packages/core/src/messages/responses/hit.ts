/** One request of a link or a picture of a mail, and what of it tells a person from a machine. Nothing else of it is kept. */

/**
 * - `person`: nothing says that it is none.
 * - `machine`: a scanner, a preview or a program says so itself.
 * - `automatic`: a mail program loaded the picture of a mail that nobody has looked at: it says nothing.
 * - `refused`: the browser says that its person wants no tracking (`Sec-GPC`).
 */
export const HIT_CLASSES = ['person', 'machine', 'automatic', 'refused'] as const
export type HitClass = (typeof HIT_CLASSES)[number]

/** `node`: the link of the message that was followed; '' is the picture that says it was opened. `at`: milliseconds. */
export type Hit = { node: string; at: number; class: HitClass }

/** The node of an opening. */
export const OPENED = ''
/** The node of a link that nobody sees: whoever follows it is a scanner. No node of a mail is called so. */
export const TRAP = '!trap'

type HitRequest = {
  method: string | undefined
  isOpening: boolean
  headers: { [name: string]: string | string[] | undefined }
}

/** Parts of names under which programs ask that are no person: crawlers, libraries, and scanners of mail. Cubot makes phones. */
const MACHINE_NAMES = [
  '(?<!cu)bot',
  'crawl',
  'spider',
  'scan',
  'preview',
  'monitor',
  'headless',
  'python',
  'curl/',
  'wget',
  'okhttp',
  'go-http',
  'java/',
  'libwww',
  'httpclient',
  'axios',
  'node-fetch',
  'undici',
  'ruby',
  'perl/',
  'facebookexternalhit',
  'slurp',
  'phantomjs',
  'barracuda',
  'proofpoint',
  'mimecast',
  'safelinks',
  'symantec',
  'trendmicro',
  'forcepoint',
  'cloudmark',
  'urlscan',
  'virustotal',
]
const MACHINES = new RegExp(MACHINE_NAMES.join('|'), 'i')
/** Apple's privacy protection loads every picture of a mail as it arrives, and says no more than this. */
const APPLE_PROXY = 'mozilla/5.0'
/** A mail program that loads pictures in advance says it is this browser of 2015. */
const PREFETCHER = 'chrome/42.0.2311.135 safari/537.36 edge/12.246 mozilla/5.0'
/** They load pictures when the mail is looked at. */
const IMAGE_PROXIES = /googleimageproxy|yahoomailproxy/i

/** What one request alone says. A burst of them is seen afterwards (`judgeResponses`). */
export function classifyHit({ method, isOpening, headers }: HitRequest): HitClass {
  const agent = textOf(headers['user-agent']).trim()
  const isEarly = PURPOSES.some((name) => headers[name] !== undefined && /prefetch|preview/i.test(textOf(headers[name])))
  if (method === 'HEAD' || agent === '' || isEarly) return 'machine'
  if (IMAGE_PROXIES.test(agent)) return 'person'
  if (MACHINES.test(agent)) return 'machine'
  if (isOpening) {
    const name = agent.toLowerCase()
    if ((name === APPLE_PROXY && textOf(headers['referer']) === '') || name.endsWith(PREFETCHER)) return 'automatic'
  }
  return headers['sec-gpc'] === '1' ? 'refused' : 'person'
}

/** Headers by which browsers say that nobody asked yet. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function textOf(header: string | string[] | undefined): string {
  return header === undefined ? '' : String(header)
}
