/**
 * Labelled cases of what is asked for of one mail, as mail programs, browsers and scanners of mail are documented to behave.
 * Only tests read them.
 */

type CaseHit = {
  node: string
  /** Seconds after the mail was handed over. */ after: number
  method?: 'HEAD'
  headers: { [name: string]: string }
}
export type ResponseCase = {
  name: string
  /** Who did it: a case of people has a person in it. */
  by: 'people' | 'machines'
  /** Different links of the mail. */
  links: number
  hits: CaseHit[]
  opened: 'yes' | 'unknown' | 'no'
  clicked: string[]
}

const BROWSERS = [
  'Mozilla/5.0 (Linux; Android 12; CUBOT NOTE 30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; Pixel 7; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/129.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
]
/** What loads the pictures of a mail when somebody looks at it. */
const READERS = [
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
]
const SCANNERS = [
  'BarracudaCentral/1.0',
  'Mozilla/5.0 (compatible; Proofpoint URL Defense)',
  'Mimecast/1.0 (URL Protect)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) SafeLinks',
  'python-requests/2.32.3',
  'curl/8.10.1',
  'Go-http-client/1.1',
  'okhttp/4.12.0',
  'Java/17.0.2',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  'SkypeUriPreview Preview/0.5',
  'WhatsApp/2.24 link preview',
]
const APPLE = { 'user-agent': 'Mozilla/5.0' }
const PREFETCHER = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
}

const as = (agent: string) => ({ 'user-agent': agent })
const open = (after: number, headers: CaseHit['headers']): CaseHit => ({ node: '', after, headers })
const click = (node: string, after: number, headers: CaseHit['headers']): CaseHit => ({ node, after, headers })
const many = (nodes: string, from: number, apart: number, headers: CaseHit['headers']) =>
  nodes.split('').map((node, index) => click(node, from + index * apart, headers))

/** People: with each way of reading, and each browser. */
const PEOPLE: ResponseCase[] = BROWSERS.flatMap((browser, n) => {
  const [web, reader] = [as(browser), as(READERS[n % READERS.length] ?? '')]
  const person = (name: string, hits: CaseHit[], opened: ResponseCase['opened'], clicked: string[], links = 5): ResponseCase => ({
    name: `${name}, ${browser.slice(0, 60)}`,
    by: 'people' as const,
    links,
    hits,
    opened,
    clicked,
  })
  return [
    person('reads', [open(3_600, reader)], 'yes', []),
    person('reads twice', [open(40, reader), open(90_000, reader)], 'yes', []),
    person('reads and follows one link', [open(60, reader), click('a', 75, web)], 'yes', ['a']),
    person('follows a link, with pictures off', [click('b', 400, web)], 'yes', ['b']),
    person('follows one link three times', [open(20, reader), ...many('aaa', 30, 2, web)], 'yes', ['a']),
    person('is a fast reader of two links', [open(20, reader), click('a', 25, web), click('b', 31, web)], 'yes', ['a', 'b']),
    person('follows two of five links within a second', [click('a', 100, web), click('c', 101, web)], 'yes', ['a', 'c']),
    person('follows three links in half a minute', many('abc', 100, 15, web), 'yes', ['a', 'b', 'c']),
    person('opens and follows the only link at once', [open(12, reader), click('a', 12, web)], 'yes', ['a'], 1),
    person('opens five seconds after it was sent', [open(5, reader), click('a', 9, web)], 'yes', ['a']),
    person('has a mail program that loads pictures by itself, and follows a link', [open(1, APPLE), click('a', 900, web)], 'yes', ['a']),
    person('is behind a scanner that says so', [...many('abcde', 2, 1, as('BarracudaCentral/1.0')), click('c', 8, web)], 'yes', ['c']),
    person('is behind a scanner that only asks for heads', [{ ...click('a', 2, web), method: 'HEAD' }, click('a', 30, web)], 'yes', ['a']),
    person('is behind a scanner in disguise, and reads an hour later', [...many('abcd', 4, 1, web), open(3_600, reader)], 'yes', []),
    person('is behind a scanner in disguise, and follows a link later', [...many('abcd', 4, 1, web), click('b', 60, web)], 'yes', ['b']),
    person('follows both links of a mail, seconds apart', [click('a', 50, web), click('b', 55, web)], 'yes', ['a', 'b'], 2),
    person('reads on a phone and follows a link at the desk', [open(60, as(READERS[5] ?? '')), click('a', 40_000, web)], 'yes', ['a']),
    person('comes back after a month', [open(30, reader), click('d', 2_600_000, web)], 'yes', ['d']),
    person('follows a link of a mail that was fetched in advance', [open(2, PREFETCHER), click('a', 200, web)], 'yes', ['a']),
    person('is shown a preview by a chat, and follows the link', [click('a', 60, as(SCANNERS[13] ?? '')), click('a', 70, web)], 'yes', [
      'a',
    ]),
  ]
})

const NOBODY = { by: 'machines' as const, clicked: [] as string[] }
const MACHINES: ResponseCase[] = [
  ...SCANNERS.flatMap((agent): ResponseCase[] => [
    { ...NOBODY, name: `${agent} follows all`, links: 5, hits: many('abcde', 10, 1, as(agent)), opened: 'no' },
    { ...NOBODY, name: `${agent} follows one, late`, links: 5, hits: [click('a', 7_200, as(agent))], opened: 'no' },
    { ...NOBODY, name: `${agent} opens`, links: 5, hits: [open(30, as(agent))], opened: 'no' },
    { ...NOBODY, name: `${agent} opens and follows`, links: 1, hits: [open(3, as(agent)), click('a', 4, as(agent))], opened: 'no' },
  ]),
  ...BROWSERS.flatMap((agent): ResponseCase[] => [
    { ...NOBODY, name: `in disguise, all links in a second, ${agent}`, links: 5, hits: many('abcde', 300, 0.2, as(agent)), opened: 'no' },
    {
      ...NOBODY,
      name: `in disguise, three links in nine seconds, ${agent}`,
      links: 8,
      hits: many('abc', 300, 4.5, as(agent)),
      opened: 'no',
    },
    { ...NOBODY, name: `in disguise, both links, ${agent}`, links: 2, hits: many('ab', 300, 1, as(agent)), opened: 'no' },
    {
      ...NOBODY,
      name: `in disguise, opens too, ${agent}`,
      links: 5,
      hits: [open(299, as(agent)), ...many('abcd', 300, 1, as(agent))],
      opened: 'no',
    },
    {
      ...NOBODY,
      name: `in disguise, as it arrives, ${agent}`,
      links: 5,
      hits: [open(0.5, as(agent)), click('a', 1, as(agent))],
      opened: 'no',
    },
    {
      ...NOBODY,
      name: `in disguise, twice, ${agent}`,
      links: 5,
      hits: [...many('abc', 5, 1, as(agent)), ...many('cde', 900, 1, as(agent))],
      opened: 'no',
    },
    { ...NOBODY, name: `asks for a head, ${agent}`, links: 5, hits: [{ ...click('a', 500, as(agent)), method: 'HEAD' }], opened: 'no' },
    {
      ...NOBODY,
      name: `prefetches, ${agent}`,
      links: 5,
      hits: [click('a', 500, { ...as(agent), 'sec-purpose': 'prefetch;prerender' })],
      opened: 'no',
    },
    {
      ...NOBODY,
      name: `shows a preview, ${agent}`,
      links: 5,
      hits: [click('a', 500, { ...as(agent), 'x-purpose': 'preview' })],
      opened: 'no',
    },
    {
      ...NOBODY,
      name: `with its own name beside a disguise, ${agent}`,
      links: 5,
      hits: [...many('ab', 9, 1, as('curl/8.10.1')), ...many('cde', 11, 1, as(agent))],
      opened: 'no',
    },
  ]),
  ...[1, 5, 60, 3_600, 90_000].flatMap((after): ResponseCase[] => [
    { ...NOBODY, name: `Apple loads the picture after ${after} s`, links: 3, hits: [open(after, APPLE)], opened: 'unknown' },
    {
      ...NOBODY,
      name: `a mail program loads it in advance after ${after} s`,
      links: 3,
      hits: [open(after, PREFETCHER)],
      opened: 'unknown',
    },
    { ...NOBODY, name: `nobody says who it is after ${after} s`, links: 3, hits: [click('a', after, {})], opened: 'no' },
  ]),
]

export const RESPONSE_CASES: readonly ResponseCase[] = [...PEOPLE, ...MACHINES]
