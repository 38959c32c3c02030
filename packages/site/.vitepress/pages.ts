/**
 * Which pages the site has, where each stands in it, and the order of the navigation. A page is named by its file, from the root of
 * the repository. One that is not there is left out.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

type Section = { en: string; ar: string; pages: (string | [file: string, en: string])[] }

/** In the order in which they are read. `file.md` in Arabic is `file.ar.md`; sections without such a page have no Arabic heading on the page. */
const SECTIONS: Section[] = [
  {
    en: 'Start',
    ar: 'البداية',
    pages: ['docs/concepts.md', 'docs/start/three-minutes.md', 'docs/first-app.md', 'docs/tours.md'],
  },
  {
    en: 'Add to my app',
    ar: 'أضِفه إلى تطبيقك',
    pages: [
      'docs/app/web.md',
      'docs/app/react.md',
      'docs/app/next.md',
      'docs/app/react-native.md',
      'docs/app/android.md',
      'docs/app/server.md',
      ['docs/javascript.md', 'JavaScript in other places'],
      'docs/another-language.md',
      ['packages/sdk/README.md', 'The client, whole'],
      ['packages/sdk/react/README.md', 'The client with React'],
    ],
  },
  {
    en: 'Use',
    ar: 'الاستخدام',
    pages: [
      'docs/marketers-day.md',
      'docs/use/texts.md',
      'docs/use/target.md',
      'docs/use/campaigns.md',
      'docs/use/push.md',
      'docs/use/import.md',
      'docs/a-mail-in-ten-minutes.md',
      'docs/mail.md',
      'docs/journeys.md',
      'docs/inbox.md',
      'docs/web-push.md',
      'docs/preferences.md',
      'docs/consent-and-law.md',
    ],
  },
  {
    en: 'Run',
    ar: 'التشغيل',
    pages: [
      'docs/run/go-live.md',
      'docs/run/self-hosting.md',
      'docs/run/first-start.md',
      'docs/run/kubernetes.md',
      'docs/reference/settings.md',
      'docs/operations.md',
      'docs/run/growing.md',
      'docs/run/upgrading.md',
      'docs/run/troubleshooting.md',
      'docs/run/channels.md',
      'docs/run/webhooks.md',
    ],
  },
  {
    en: 'Accounts',
    ar: 'الحسابات',
    pages: ['docs/run/accounts.md', 'docs/sign-in.md', 'docs/second-factor.md', 'docs/access.md', 'docs/scim.md'],
  },
  {
    en: 'Security',
    ar: 'الأمان',
    pages: [
      'docs/run/security.md',
      'docs/run/signed-identity.md',
      ['SECURITY.md', 'What is promised, and how to report'],
      ['docs/asvs.md', 'OWASP ASVS 5.0'],
    ],
  },
  {
    en: 'Build',
    ar: 'التطوير',
    pages: [
      'docs/command-line.md',
      ['packages/cli/README.md', 'Workspaces and types as code'],
      'docs/run/ci.md',
      'docs/run/testing.md',
      ['examples/shop/README.md', 'The demo shop'],
    ],
  },
  {
    en: 'Reference',
    ar: 'المرجع',
    pages: [
      'docs/reference/errors.md',
      'docs/reference/limits.md',
      'docs/glossary.md',
      ['docs/words.md', 'Words of the dashboard'],
      'CHANGELOG.md',
      'ARCHITECTURE.md',
      ['bench/RESULTS.md', 'What was measured'],
      'packages/site/pages/decisions.md',
    ],
  },
  { en: 'Moving here', ar: 'الانتقال إلينا', pages: ['docs/run/moving-here.md'] },
]

/** Pages outside of `docs`, and those that would have the address of a folder. */
const ADDRESSES: Record<string, string> = {
  'SECURITY.md': 'run/promises.md',
  'CHANGELOG.md': 'reference/changes.md',
  'ARCHITECTURE.md': 'reference/architecture.md',
  'bench/RESULTS.md': 'reference/measured.md',
  'packages/sdk/README.md': 'reference/sdk.md',
  'packages/sdk/react/README.md': 'reference/sdk-react.md',
  'examples/shop/README.md': 'reference/demo-shop.md',
  'packages/site/pages/index.md': 'index.md',
  'packages/site/pages/index.ar.md': 'ar/index.md',
  'packages/site/pages/decisions.md': 'decisions/index.md',
  'packages/cli/README.md': 'reference/as-code.md',
  // What it says stands on the first page.
  'README.md': 'index.md',
}

/** Where a file stands in the site, such as `ar/marketers-day.md` for `docs/marketers-day.ar.md`. Undefined for what is no page of it. */
export function addressOf(file: string): string | undefined {
  const named = ADDRESSES[file]
  if (named !== undefined) return named
  if (!FILES.has(file)) return undefined
  const address = file.replace(/^docs\//, '')
  return address.endsWith('.ar.md') ? `ar/${address.replace(/\.ar\.md$/, '.md')}` : address
}

const arabicOf = (file: string) => file.replace(/\.md$/, '.ar.md')
const isThere = (file: string) => existsSync(ROOT + file)
const fileOf = (page: string | [string, string]) => (typeof page === 'string' ? page : page[0])

/** Every file that becomes a page. */
export const FILES: ReadonlySet<string> = new Set([
  ...['packages/site/pages/index.md', ...SECTIONS.flatMap(({ pages }) => pages.map(fileOf))]
    .flatMap((file) => [file, arabicOf(file)])
    .filter(isThere),
  ...globSync('docs/decisions/*.md', { cwd: ROOT }).sort(),
])

/** Addresses that both languages have: the switch of the language leads from one to the other. */
export const IN_BOTH: string[] = [...FILES].filter((file) => FILES.has(arabicOf(file))).map((file) => addressOf(file) ?? '')

type Item = { text: string; link: string }

const linkOf = (file: string) =>
  `/${addressOf(file)
    ?.replace(/(^|\/)index\.md$/, '$1')
    .replace(/\.md$/, '')}`

/** The title of a page is its first heading. */
function titleOf(file: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(ROOT + file, 'utf8'))?.[1]
  if (heading === undefined) throw new Error(`${file} has no heading to be found by`)
  return heading.replaceAll('`', '')
}

/** The navigation beside the pages of a language: its sections, without those that have no page in it. */
export function sidebarOf(language: 'en' | 'ar'): { text: string; items: Item[] }[] {
  return SECTIONS.map((section) => ({
    text: section[language],
    collapsed: false,
    items: section.pages.flatMap((page): Item[] => {
      const file = language === 'en' ? fileOf(page) : arabicOf(fileOf(page))
      if (!FILES.has(file)) return []
      return [{ text: language === 'en' && typeof page !== 'string' ? page[1] : titleOf(file), link: linkOf(file) }]
    }),
  })).filter(({ items }) => items.length > 0)
}

/** Every decision with its title, in order. */
export function decisions(): Item[] {
  return [...FILES].filter((file) => file.startsWith('docs/decisions/')).map((file) => ({ text: titleOf(file), link: linkOf(file) }))
}
