/** The documentation as a site, of VitePress: the pages of `docs` in English and, where there is one, in Arabic. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { readRepository, slugify } from './markdown.ts'
import { addressOf, decisions, FILES, IN_BOTH, ROOT, sidebarOf } from './pages.ts'

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { version: string }
const noPage = globSync('{*,{bench,docs,examples,ops,packages}/**/*}.md', { cwd: ROOT, exclude: ['**/node_modules', '**/dist'] })

/** Pages of the server that the site stands on; published elsewhere, it has none. */
const besides = (dashboard: string, api: string) =>
  process.env['CF_SITE_BESIDE_SERVER'] === 'yes'
    ? [
        { text: dashboard, href: '/' },
        { text: api, href: '/docs' },
      ]
    : []

/** Marks over and under Arabic letters, and the stroke that makes words longer: with and without them a word is the same. */
const processTerm = (term: string) =>
  term
    .normalize('NFC')
    .replaceAll(/[\u064B-\u0652\u0670\u0640]/g, '')
    .toLowerCase()

const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    miniSearch: { options: { processTerm } },
    // Why something was decided is looked up from where it holds; it would stand in front of how to do it.
    _render: async (text, env, md) => (env.path.includes('/docs/decisions/') ? '' : md.renderAsync(text, env)),
    locales: {
      ar: {
        translations: {
          button: { buttonText: 'بحث', buttonAriaLabel: 'بحث' },
          modal: {
            displayDetails: 'إظهار النص',
            resetButtonTitle: 'مسح البحث',
            backButtonTitle: 'إغلاق البحث',
            noResultsText: 'لا نتائج لـ',
            footer: { selectText: 'للفتح', navigateText: 'للتنقل', closeText: 'للإغلاق' },
          },
        },
      },
    },
  },
}

/** The page of the other language, or its first page where there is none. It is sent to browsers as text, so it uses what it is given. */
const i18nRouting: DefaultTheme.Config['i18nRouting'] = ({ theme }, { data: { relativePath } }, target) => {
  const page = relativePath.replace(/^ar\//, '')
  const home = target === 'root' ? '/' : `/${target}/`
  return (theme.value as { inBoth: string[] }).inBoth.includes(page)
    ? home + page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')
    : home
}

/** VitePress begins each page with two scripts of its own. In a file, the content policy needs to allow none inside of pages. */
const firstScripts = (html: string) => {
  const inline = /<script id="[\w-]+">([^]*?)<\/script>\s*/g
  const text = [...html.matchAll(inline)].map(([, script]) => script).join(';\n')
  const name = `assets/first-paint.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`
  return { name, text, without: html.replaceAll(inline, '') }
}

/** What the theme is told besides what it knows: the pages of both languages, and for its layout the version and the server's pages. */
export type Theme = DefaultTheme.Config & { inBoth: string[]; version: string; beside: { text: string; href: string }[] }

export default defineConfig<Partial<Theme>>({
  srcDir: '../..',
  outDir: 'dist',
  cacheDir: '../../node_modules/.cache/site',
  srcExclude: ['**/node_modules/**', '**/dist/**', ...noPage.filter((file) => !FILES.has(file))],
  // VitePress would take every `config.ts` of the repository for one of its own.
  additionalConfig: {},
  rewrites: (file) => addressOf(file) ?? file,
  title: 'ContentFlow',
  description: 'Open, self-hosted platform for server-driven content and customer engagement',
  markdown: {
    anchor: { slugify },
    config: readRepository,
    // What is written means itself: no attributes in braces, no emoji between colons.
    attrs: false,
    emoji: false,
    footnote: false,
  },
  transformHtml: async (html, _file, { siteConfig }) => {
    const { name, text, without } = firstScripts(html)
    await mkdir(join(siteConfig.outDir, 'assets'), { recursive: true })
    await writeFile(join(siteConfig.outDir, name), text)
    return without.replace('<head>', `<head>\n    <script src="${siteConfig.site.base}${name}"></script>`)
  },
  themeConfig: {
    search,
    i18nRouting,
    inBoth: IN_BOTH,
    version,
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        beside: besides('Dashboard', 'API'),
        sidebar: { '/': sidebarOf('en'), '/decisions/': [{ text: 'Decisions', items: decisions() }] },
        outline: { level: [2, 3], label: 'On this page' },
      },
    },
    ar: {
      label: 'العربية',
      lang: 'ar',
      dir: 'rtl',
      description: 'منصة مفتوحة تستضيفها بنفسك: محتوى يصل إلى التطبيقات من الخادم، وتواصل مع العملاء',
      themeConfig: {
        beside: besides('لوحة التحكم', 'واجهة البرمجة'),
        sidebar: { '/ar/': sidebarOf('ar') },
        outline: { level: [2, 3], label: 'في هذه الصفحة' },
        docFooter: { prev: 'الصفحة السابقة', next: 'الصفحة التالية' },
        darkModeSwitchLabel: 'المظهر',
        lightModeSwitchTitle: 'إلى المظهر الفاتح',
        darkModeSwitchTitle: 'إلى المظهر الداكن',
        sidebarMenuLabel: 'الصفحات',
        returnToTopLabel: 'إلى أعلى الصفحة',
        langMenuLabel: 'اللغة',
        skipToContentLabel: 'إلى المحتوى',
        notFound: {
          code: '404',
          title: 'لا صفحة هنا',
          quote: 'ربما نُقلت الصفحة. ابحث عنها، أو ابدأ من الصفحة الأولى.',
          linkLabel: 'الصفحة الأولى',
          linkText: 'الصفحة الأولى',
        },
      },
    },
  },
})
