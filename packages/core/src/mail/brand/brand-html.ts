/** What the brand shows in a mail. Its links are not tracked: they are the same in all mails, and say nothing of one. */
import { isRightToLeft } from '../../channels/channel.ts'
import { escape } from '../../messages/mail.ts'
import type { Colour } from '../document.ts'
import { exceptOutlook, lines } from '../html.ts'
import type { MailView } from '../mail-view.ts'
import { contrast } from '../theme.ts'
import { companyLines, logoText, networkWords } from './brand-text.ts'

/** Where it stands. `background`: one that somebody chose, which stays in the dark. `room`: pixels of the column. */
type BrandPlace = { view: MailView; ink: Colour; link: Colour; background: Colour | undefined; room: number }

/** The name of the company where there is no logo. */
export function logoHtml({ view, ink, background, room }: BrandPlace): string {
  const { brand } = view
  const words = logoText(view)
  const logo = brand?.logo ?? undefined
  const src = logo && view.sourceOf(logo.src)
  if (!logo || src === undefined)
    return words === ''
      ? ''
      : `<p style="margin:0;font-size:18px;font-weight:700;color:${background === undefined ? 'inherit' : ink}">${lines(words)}</p>`
  const dark = logo.darkSrc === undefined ? undefined : view.sourceOf(logo.darkSrc)
  const width = Math.min(logo.width, room)
  const picture = (source: string, shown: string) =>
    `<img src="${escape(source)}" alt="${escape(logo.alt)}" width="${width}"${shown}vertical-align:top;width:100%;max-width:${width}px;height:auto;border:0;color:${ink}">`
  const always = ' style="display:inline-block;'
  if (dark === undefined) return picture(src, always)
  if (background !== undefined) return picture(isDark(background) ? dark : src, always)
  return `${picture(src, ' class="ll" style="display:inline-block;')}${exceptOutlook(picture(dark, ' class="ld" style="display:none;'))}`
}

function isDark(background: Colour): boolean {
  return contrast(background, '#ffffff') > contrast(background, '#000000')
}

export function socialHtml({ view: { brand, locale }, link, background }: BrandPlace): string {
  const themed = background === undefined ? ' class="ln"' : ''
  const links = (brand?.social ?? []).map(
    ({ network, url }) =>
      `<a href="${escape(url)}"${themed} style="color:${link};text-decoration:underline;white-space:nowrap">${escape(networkWords(network, locale))}</a>`,
  )
  // Names in Latin letters would stand from left to right otherwise.
  const between = isRightToLeft(locale) ? ' &nbsp;&rlm;&middot;&nbsp; ' : ' &nbsp;&middot;&nbsp; '
  return links.length === 0 ? '' : `<p style="margin:0;font-size:14px">${links.join(between)}</p>`
}

/** Company, address and the text below them. */
export function companyHtml(view: MailView): string {
  const { muted } = view.theme.light
  return companyLines(view)
    .map((text) => `<p class="mu" style="margin:0 0 8px;font-size:13px;color:${muted}">${lines(text)}</p>`)
    .join('')
}
