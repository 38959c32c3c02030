/** The page behind a link in a mail: one button, no script, in English and Arabic. */
import { escape } from '@contentflow/core/messages/mail.ts'
import { BRAND_STYLE, lookOf, type PageBrand, type PageLook } from './page-look.ts'

/** `ask` is above the button. `over`: the link was used or withdrawn before. */
type PageTexts = { title: string; ask: string; button: string; done: string; over?: string; unknown: string }
export type PageState = 'ask' | 'done' | 'over' | 'unknown'
export type BothLanguages = { en: PageTexts; ar: PageTexts }

/** `languages`: the header Accept-Language. `brand`: of the workspace whose mail it is; undefined: the page is plain. */
export function linkPage(
  both: BothLanguages,
  state: PageState,
  languages: string | undefined,
  brand?: PageBrand,
): { html: string; headers: PageLook['headers'] } {
  const language = /^\s*ar\b/i.test(languages ?? '') ? 'ar' : 'en'
  const texts = both[language]
  const look = lookOf(brand, language)
  const form = state === 'ask' ? `<form method="post"><button>${escape(texts.button)}</button></form>` : ''
  const said = `${look.logo}<h1>${escape(texts.title)}</h1><p${state === 'ask' ? '' : ' role="status"'}>${escape(texts[state] ?? texts.unknown)}</p>${form}${look.foot}`
  const html = `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escape(texts.title)}</title><style>${look.root}${STYLE}</style></head><body><main>${said}</main></body></html>`
  return { html, headers: look.headers }
}

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--page);color:var(--text);font:16px/1.6 var(--font)}main{box-sizing:border-box;width:min(28rem,100% - 2rem);padding:2rem;border-radius:12px;background:var(--surface)}h1{margin:0 0 .5rem;font-size:1.5rem}p{margin:0 0 1.5rem}button{padding:.75rem 1.5rem;border:0;border-radius:var(--radius);background:var(--primary);color:var(--on);font:inherit;font-weight:600;cursor:pointer}button:focus-visible{outline:3px solid var(--link);outline-offset:2px}${BRAND_STYLE}`
