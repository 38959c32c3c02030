/** The mail as a program would show it, from the HTML that is sent. */

export const LOOKS = ['light', 'dark', 'inverted'] as const
/** `dark`: as programs that obey the mail's own colours; `inverted`: about as those that turn every colour around. */
export type MailLook = (typeof LOOKS)[number]

const INVERTED = 'html{background:#fff;filter:invert(.92) hue-rotate(180deg)}img{filter:invert(1) hue-rotate(180deg)}'

/** Links lead nowhere, because a preview is looked at; without `hasImages` their descriptions stand where they are. */
export function previewHtml(html: string, look: MailLook, hasImages: boolean): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const style of page.querySelectorAll('style'))
    style.textContent = style.textContent.replaceAll('(prefers-color-scheme:dark)', look === 'dark' ? 'all' : 'not all')
  for (const meta of page.querySelectorAll('meta[name$="color-scheme"], meta[name="supported-color-schemes"]'))
    meta.setAttribute('content', look === 'dark' ? 'dark' : 'light')
  if (look === 'inverted') page.head.append(Object.assign(page.createElement('style'), { textContent: INVERTED }))
  for (const link of page.querySelectorAll('a[href]')) {
    link.setAttribute('title', link.getAttribute('href') ?? '')
    link.removeAttribute('href')
  }
  if (!hasImages) for (const image of page.querySelectorAll('img')) image.setAttribute('src', 'data:,')
  return `<!doctype html>${page.documentElement.outerHTML}`
}
