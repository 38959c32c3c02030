/** What the pages need besides Markdown: they are written to be read in the repository, and nothing of their words is code of the site. */
import { globSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { addressOf, ROOT } from './pages.ts'

/** As anchors are made where the repository is read: letters, digits, hyphens and underscores, in lower case. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** Links between files become links between pages. One that leads to a file that is no page is left out, its words stay. */
export function readRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('links_of_the_repository', (state) => {
    const from = String(state.env.realPath ?? state.env.path)
    for (const token of state.tokens) {
      const left: boolean[] = []
      token.children = (token.children ?? []).filter((child) => {
        if (child.type === 'link_close') return left.pop() !== true
        if (child.type !== 'link_open') return true
        const to = linkTo(from, child.attrGet('href') ?? '')
        left.push(to === undefined)
        if (to !== undefined) child.attrSet('href', to)
        return to !== undefined
      })
    }
  })
  // Braces stand for themselves: `{{name}}` in a text is a token of a message.
  for (const kind of ['text', 'code_inline'] as const) {
    const draw = md.renderer.rules[kind]
    md.renderer.rules[kind] = (...args) => (draw?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
  }
}

/** The address in the site of what a file links to; undefined for files that are no page. */
function linkTo(from: string, href: string): string | undefined {
  if (/^[a-z]+:|^#|^\//i.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const file = relative(ROOT, join(dirname(from), decodeURI(path)))
  const address = addressOf(file) ?? (file === 'docs/decisions' ? 'decisions/index.md' : undefined)
  if (address !== undefined) return `/${address}${anchor === undefined ? '' : `#${anchor}`}`
  if (globSync(file, { cwd: ROOT }).length === 0) throw new Error(`${relative(ROOT, from)} links to ${href}, which is not there`)
  return undefined
}
