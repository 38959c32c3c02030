/**
 * Draws a mail of sections as HTML and as plain text (decision 66). Without any style sheet it is right already: columns
 * stand side by side where there is room and below each other where there is none, and direction, language, letters and
 * colours are said where they are used, because Gmail leaves `html`, `body` and often the style block out. The style block
 * adds the dark and whole columns on phones. At most four tables stand in each other.
 */
import { isRightToLeft } from '../channels/channel.ts'
import { escape, footerLinks, trapHtml } from '../messages/mail.ts'
import {
  linesOf,
  type Alignment,
  type Colour,
  type ImageText,
  type MailColumn,
  type MailNode,
  type MailSection,
  type RichText,
  type TextRun,
} from './document.ts'
import { companyHtml, logoHtml, socialHtml } from './brand/brand-html.ts'
import { drawHtml, drawHtmlMail } from './own-html/draw-html.ts'
import { buttonHtml, forOutlook, runHtml, table } from './html.ts'
import { linkNode, type MailView } from './mail-view.ts'
import { mailText } from './plain-text.ts'
import { inkOn, type MailTheme } from './theme.ts'

/** Pixels: of the mail, and of the room at both sides of a section. */
const [WIDTH, SIDE, PADDING] = [600, 32, 16]
/** Between columns. */
const GAP = 12

/** `body`: the same words as plain text. */
export function renderMailDocument(view: MailView): { html: string; body: string } {
  const { html } = view.texts
  return { html: html === undefined ? htmlOf(view) : drawHtmlMail(html, view, topOf(view)), body: mailText(view) }
}

/** How the words of one place are drawn. `background`: one that somebody chose. `room`: pixels of the column. */
type Place = { view: MailView; ink: Colour; link: Colour; background: Colour | undefined; room: number; isRtl: boolean }

function htmlOf(view: MailView): string {
  const { locale, theme, texts, trapUrl } = view
  const { light } = theme
  const isRtl = isRightToLeft(locale)
  const [dir, lang] = [isRtl ? 'rtl' : 'ltr', escape(locale)]
  const rows = view.document.sections.map((section) => sectionHtml(view, section, isRtl)).join('')
  const box = table(
    `width="${WIDTH}" align="center" dir="${dir}" class="sf" style="width:100%;max-width:${WIDTH}px;background:${light.surface};border-radius:12px;overflow:hidden"`,
    rows,
  )
  const framed = `${forOutlook(`<table role="presentation" width="${WIDTH}" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td>`)}${box}${forOutlook('</td></tr></table>')}`
  const page = table(
    `width="100%" class="pg" style="background:${light.page}"`,
    `<tr><td align="center" style="padding:24px 8px">${framed}</td></tr>`,
  )
  const wrapper = `<div role="article" aria-roledescription="email" aria-label="${escape(texts.subject)}" lang="${lang}" dir="${dir}" class="tx" style="font-family:${theme.fonts};color:${light.text};font-size:16px;line-height:${isRtl ? '1.75' : '1.6'};word-break:break-word">${page}</div>`
  return `<!doctype html><html lang="${lang}" dir="${dir}" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(texts.subject)}</title>${styleOf(theme)}${forOutlook('<xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml>')}</head><body class="pg" dir="${dir}" style="margin:0;padding:0;background:${light.page}">${topOf(view)}${wrapper}${trapHtml(trapUrl)}</body></html>`
}

/** Behind `<body>`, because long mails are cut at their end: what lists of mails show, and the picture that says it was opened. */
function topOf({ texts, pictureUrl }: MailView): string {
  const picture =
    pictureUrl === undefined
      ? ''
      : `<img src="${escape(pictureUrl)}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`
  return preheaderHtml(texts.preheader) + picture
}

/** Few plain rules: Gmail drops the whole block when one is odd. */
function styleOf({ dark }: MailTheme): string {
  const rules = `.pg{background:${dark.page}!important}.sf{background:${dark.surface}!important}.tx{color:${dark.text}!important}.mu,.mu a{color:${dark.muted}!important}.ln{color:${dark.link}!important}.bt{background:${dark.primary}!important;color:${dark.onPrimary}!important}.dv{border-color:${dark.muted}!important}.ll{display:none!important}.ld{display:inline-block!important}`
  return `<style>@media (max-width:619px){.cl,.cl img{max-width:100%!important}.sd{padding-left:20px!important;padding-right:20px!important}}@media (prefers-color-scheme:dark){${rules}}</style>`
}

/** Blanks that nobody sees, so that programs do not show the first words of the mail behind it. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60)

function preheaderHtml(preheader = ''): string {
  if (preheader === '') return ''
  return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escape(preheader)}${FILLER}</div>`
}

function sectionHtml(view: MailView, section: MailSection, isRtl: boolean): string {
  if (section.type === 'footer') return footerHtml(view)
  // What stands in the place of a part, or of products, was put there before; a part that is not known is left out.
  if (section.type !== 'section') return ''
  const { light } = view.theme
  const { background, padding = PADDING } = section
  const inner = WIDTH - 2 * SIDE
  const colours =
    background === undefined ? { ink: light.text, link: light.link } : { ink: inkOn(background, light), link: inkOn(background, light) }
  const place: Place = { view, ...colours, background, room: inner, isRtl }
  // Colours that somebody chose stay in the dark as well, and their words with them.
  const own = background === undefined ? '' : ` bgcolor="${background}"`
  const style = `padding:${padding}px ${SIDE}px${background === undefined ? '' : `;background:${background};color:${colours.ink}`}`
  const columns = columnsHtml(place, section)
  return columns === '' ? '' : `<tr><td class="sd"${own} style="${style}">${columns}</td></tr>`
}

function columnsHtml(place: Place, { columns, keepColumns }: Extract<MailSection, { type: 'section' }>): string {
  const inner = place.room
  const drawn = columns.map((column) => {
    const room = columns.length === 1 ? inner : Math.floor(((inner + GAP) * column.width) / 100) - GAP
    return { column, room, html: columnHtml({ ...place, room }, column) }
  })
  if (drawn.every(({ html }) => html === '')) return ''
  if (columns.length === 1) return drawn[0]!.html
  const dir = place.isRtl ? 'rtl' : 'ltr'
  if (keepColumns) {
    const cells = drawn.map(({ column, html }) => `<td width="${column.width}%" valign="top">${html}</td>`)
    return table(
      `width="100%" dir="${dir}"`,
      `<tr>${cells.join(`<td width="${GAP}" style="width:${GAP}px;min-width:${GAP}px;font-size:0">&nbsp;</td>`)}</tr>`,
    )
  }
  const cell = (room: number) => `width="${room + GAP}" valign="top" style="padding:0 ${GAP / 2}px"`
  const ghosts = drawn.map(
    ({ room, html }, index) =>
      `${forOutlook(`${index === 0 ? '' : '</td>'}<td ${cell(room)}>`)}<div class="cl" dir="${dir}" style="display:inline-block;vertical-align:top;width:100%;max-width:${room + GAP}px;font-size:16px"><div style="padding:0 ${GAP / 2}px">${html}</div></div>`,
  )
  // Blanks between the columns would take room, so letters have none there.
  return `${forOutlook(`<table role="presentation" width="${inner}" dir="${dir}" cellpadding="0" cellspacing="0" border="0"><tr>`)}<div style="font-size:0;margin:0 -${GAP / 2}px">${ghosts.join('')}</div>${forOutlook('</td></tr></table>')}`
}

function columnHtml(place: Place, { nodes }: MailColumn): string {
  const drawn = nodes.flatMap((node) => {
    const html = nodeHtml(place, node)
    return html === '' ? [] : [`<tr><td align="${sideOf(place, node)}" style="padding:8px 0">${html}</td></tr>`]
  })
  return drawn.length === 0 ? '' : table('width="100%" style="width:100%"', drawn.join(''))
}

/** `left` and `right` are what old programs know; which of them begins a line follows from the language. */
function sideOf({ isRtl }: Place, node: MailNode): string {
  const align: Alignment = 'align' in node ? (node.align ?? 'start') : 'start'
  if (align === 'center') return 'center'
  return (align === 'start') === isRtl ? 'right' : 'left'
}

const HEADINGS = { 1: 28, 2: 22, 3: 18 } as const

function nodeHtml(place: Place, node: MailNode): string {
  const { view } = place
  if (node.type === 'divider')
    return `<div class="dv" style="border-top:1px solid ${view.theme.light.muted};opacity:.4;font-size:0;line-height:0">&nbsp;</div>`
  if (node.type === 'spacer') return `<div style="height:${node.height}px;line-height:${node.height}px;font-size:1px">&nbsp;</div>`
  if (node.type === 'logo') return logoHtml(place)
  if (node.type === 'social') return socialHtml(place)
  const text = Object.hasOwn(view.texts.nodes, node.id) ? view.texts.nodes[node.id] : undefined
  if (text === undefined) return ''
  if (node.type === 'image') return 'src' in text ? imageHtml(place, node, text) : ''
  if (node.type === 'button') {
    const href = 'label' in text && text.label !== '' && text.url !== '' ? view.hrefOf(node.id, text.url) : undefined
    if (href === undefined || !('label' in text)) return ''
    const { light, radius } = view.theme
    const look = { background: light.primary, ink: light.onPrimary, radius, isWide: node.isWide ?? false, room: place.room }
    return buttonHtml(text.label, href, look)
  }
  if (node.type === 'html') return 'html' in text ? drawHtml(text.html, node.id, view) : ''
  return 'blocks' in text ? richHtml(place, node, text) : ''
}

function richHtml(place: Place, node: Extract<MailNode, { type: 'heading' | 'text' }>, { blocks }: RichText): string {
  let link = 0
  const { view, background } = place
  const colour = { colour: place.link, isThemed: background === undefined }
  const said = (runs: readonly TextRun[]) =>
    runs.map((run) => runHtml(run, colour, (url) => view.hrefOf(linkNode(node.id, link++), url))).join('')
  const side = sideOf(place, node)
  if (node.type === 'heading') {
    const inner = blocks.flatMap(linesOf).map(said).join('<br>')
    const size = HEADINGS[node.level]
    return inner === ''
      ? ''
      : `<h${node.level} style="margin:0;font-size:${size}px;line-height:${place.isRtl ? 1.6 : 1.3};font-weight:700;text-align:${side};color:inherit">${inner}</h${node.level}>`
  }
  const style = `margin:0 0 8px;font-size:16px;text-align:${side}`
  return blocks
    .map((block) => {
      if ('p' in block) return `<p style="${style}">${said(block.p)}</p>`
      const [tag, items] = 'ul' in block ? ['ul', block.ul] : ['ol', block.ol]
      const indent = place.isRtl ? 'padding:0 24px 0 0' : 'padding:0 0 0 24px'
      return `<${tag} style="${style};${indent}">${items.map((item) => `<li style="margin:0 0 4px">${said(item)}</li>`).join('')}</${tag}>`
    })
    .join('')
}

function imageHtml({ view, room, ink }: Place, node: Extract<MailNode, { type: 'image' }>, { src, alt, url }: ImageText): string {
  const source = src === '' ? undefined : view.sourceOf(src)
  if (source === undefined) return ''
  const width = Math.round((room * (node.width ?? 100)) / 100)
  const picture = `<img src="${escape(source)}" alt="${escape(alt)}" width="${width}" style="display:inline-block;vertical-align:top;width:100%;max-width:${width}px;height:auto;border:0;color:${ink}">`
  const href = url === undefined || url === '' ? undefined : view.hrefOf(node.id, url)
  return href === undefined ? picture : `<a href="${escape(href)}">${picture}</a>`
}

function footerHtml(view: MailView): string {
  const { theme, locale: language, unsubscribeUrl, preferencesUrl } = view
  const company = companyHtml(view)
  const links = footerLinks({ language, unsubscribeUrl, preferencesUrl })
  if (links.length === 0 && company === '') return `<tr><td style="padding:0 0 ${PADDING}px;font-size:0">&nbsp;</td></tr>`
  const { muted } = theme.light
  const shown = links.map(({ words, url }) => `<a href="${escape(url)}" style="color:${muted};text-decoration:underline">${words}</a>`)
  const said = shown.length === 0 ? '' : `<p class="mu" style="margin:0;font-size:13px;color:${muted}">${shown.join(' &nbsp; ')}</p>`
  return `<tr><td class="sd" align="center" style="padding:24px ${SIDE}px 32px">${company}${said}</td></tr>`
}
