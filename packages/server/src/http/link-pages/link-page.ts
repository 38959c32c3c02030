/** The page behind a link in a mail: one button, no script, in English and Arabic. */
import { escape } from '@contentflow/core/messages/mail.ts'

/** `ask` is above the button. `over`: the link was used or withdrawn before. */
type PageTexts = { title: string; ask: string; button: string; done: string; over?: string; unknown: string }
export type PageState = 'ask' | 'done' | 'over' | 'unknown'
export type BothLanguages = { en: PageTexts; ar: PageTexts }

/** No script, no other site, nothing kept, nothing told to where a link of it leads. */
export const LINK_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

/** `languages`: the header Accept-Language. */
export function linkPage(both: BothLanguages, state: PageState, languages: string | undefined): string {
  const language = /^\s*ar\b/i.test(languages ?? '') ? 'ar' : 'en'
  const texts = both[language]
  const form = state === 'ask' ? `<form method="post"><button>${escape(texts.button)}</button></form>` : ''
  return `<!doctype html><html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escape(texts.title)}</title><style>${STYLE}</style></head><body><main><h1>${escape(texts.title)}</h1><p${state === 'ask' ? '' : ' role="status"'}>${escape(texts[state] ?? texts.unknown)}</p>${form}</main></body></html>`
}

const STYLE =
  ":root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;background:light-dark(#f3f4f6,#111827);color:light-dark(#111827,#f3f4f6);font:16px/1.6 system-ui,'Segoe UI',Tahoma,sans-serif}main{box-sizing:border-box;width:min(28rem,100% - 2rem);padding:2rem;border-radius:12px;background:light-dark(#fff,#1f2937)}h1{margin:0 0 .5rem;font-size:1.5rem}p{margin:0 0 1.5rem}button{padding:.75rem 1.5rem;border:0;border-radius:8px;background:#1d4ed8;color:#fff;font:inherit;font-weight:600;cursor:pointer}button:focus-visible{outline:3px solid #93c5fd;outline-offset:2px}"
