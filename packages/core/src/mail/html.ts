/** The smallest pieces of a mail's HTML: what mail programs of every age draw alike. */
import { escape } from '../messages/mail.ts'
import type { Colour, TextRun } from './document.ts'

/** A layout table; no program reads it out as data. */
export function table(attributes: string, rows: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"${attributes === '' ? '' : ` ${attributes}`}>${rows}</table>`
}

/** Seen by Outlook for Windows alone, which draws with Word and knows neither `max-width` nor `inline-block`. */
export function forOutlook(html: string): string {
  return `<!--[if mso]>${html}<![endif]-->`
}

export function exceptOutlook(html: string): string {
  return `<!--[if !mso]><!-->${html}<!--<![endif]-->`
}

/** Text of a page; its line breaks stay. */
export function lines(text: string): string {
  return escape(text).replaceAll(/\r\n|\r|\n/g, '<br>')
}

const MARKS = [
  ['b', 'strong'],
  ['i', 'em'],
  ['u', 'u'],
  ['s', 's'],
] as const

/** `link`: the colour of links; `isThemed`: another one in the dark. `hrefOf`: where a link leads; undefined: nowhere, and its words stand without it. */
export function runHtml(run: TextRun, link: { colour: Colour; isThemed: boolean }, hrefOf: (url: string) => string | undefined): string {
  let html = lines(run.v)
  for (const [mark, tag] of MARKS) if (run[mark]) html = `<${tag}>${html}</${tag}>`
  if (run.color !== undefined) html = `<span style="color:${run.color}">${html}</span>`
  const href = run.url === undefined || run.url === '' ? undefined : hrefOf(run.url)
  return href === undefined
    ? html
    : `<a href="${escape(href)}"${link.isThemed ? ' class="ln"' : ''} style="color:${run.color ?? link.colour};text-decoration:underline">${html}</a>`
}

/** Pixels a letter of a button takes at most, and the room at its sides: Outlook must be told the width of its shape. */
const [LETTER, SIDES, NARROWEST] = [9, 48, 120]

type ButtonLook = { background: Colour; ink: Colour; radius: number; isWide: boolean; room: number }

/** A shape of its own for Outlook, because it gives a link no room. `room`: pixels of the column. */
export function buttonHtml(label: string, href: string, { background, ink, radius, isWide, room }: ButtonLook): string {
  const width = isWide ? room : Math.min(room, Math.max(NARROWEST, label.length * LETTER + SIDES))
  const [shown, to] = [escape(label), escape(href)]
  const arc = Math.round((radius / 48) * 100)
  const shape = `<v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="${to}" style="height:48px;width:${width}px;v-text-anchor:middle" arcsize="${arc}%" stroke="f" fillcolor="${background}"><w:anchorlock/><center style="color:${ink};font-family:Tahoma,Arial,sans-serif;font-size:16px;font-weight:bold">${shown}</center></v:roundrect>`
  const box = isWide ? 'display:block;text-align:center' : 'display:inline-block'
  return `${forOutlook(shape)}${exceptOutlook(
    `<a href="${to}" class="bt" style="${box};padding:13px 24px;font-size:16px;line-height:22px;font-weight:600;color:${ink};background:${background};border-radius:${radius}px;text-decoration:none">${shown}</a>`,
  )}`
}
