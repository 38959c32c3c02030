/**
 * Finds what is wrong with a mail of sections before it is sent. `stop`: it may not be submitted; `warn`: somebody should look.
 * One pure function, so that the composer, `POST /mails/render` and the submission say the same.
 */
import { textLength } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { linesOf, nodesOf, TEXT_OF, type MailDocument, type MailTexts, type NodeText } from './document.ts'
import { partsOf } from './library/read-part.ts'
import { linkNode } from './mail-view.ts'
import { HTML_NODE } from './own-html/draw-html.ts'
import { linksOfHtml, picturesOfHtml } from './own-html/html-places.ts'
import { textOfHtml } from './own-html/html-text.ts'

export const MAIL_CHECKS = [
  'too_large',
  'large',
  'subject_missing',
  'subject_long',
  'subject_loud',
  'nothing_said',
  'button_unfinished',
  'picture_missing',
  'alt_missing',
  'link_leads_nowhere',
  'link_to_number',
  'link_shows_other_host',
  'text_missing',
  'few_words',
  'part_missing',
  'variant_misplaced',
  'string_missing',
] as const
export type MailCheckCode = (typeof MAIL_CHECKS)[number]
/**
 * `node`: where in the mail, if it is one place; of a part that there is none of, or that is archived, its section. `value`: what
 * was found there, such as an address or the size in bytes. `variant`: the one alone that has it.
 */
export type MailCheck = { code: MailCheckCode; level: 'stop' | 'warn'; locale: string; node?: string; value?: string; variant?: string }

const LEVELS: { [code in MailCheckCode]: 'stop' | 'warn' } = {
  too_large: 'stop',
  large: 'warn',
  subject_missing: 'stop',
  subject_long: 'warn',
  subject_loud: 'warn',
  nothing_said: 'stop',
  button_unfinished: 'stop',
  picture_missing: 'stop',
  alt_missing: 'stop',
  link_leads_nowhere: 'stop',
  link_to_number: 'stop',
  link_shows_other_host: 'stop',
  text_missing: 'warn',
  few_words: 'warn',
  part_missing: 'stop',
  variant_misplaced: 'stop',
  string_missing: 'stop',
}

/** Longer ones are cut in lists of mails. Characters. */
const SUBJECT = 70
/** Fewer words beside pictures look like an advertisement to filters, and say nothing where pictures are off. */
const WORDS = 20

/** `bytesIn`: of the HTML in a language, with links as long as they can be. `hasWebAddress`: whether a path such as `/offers` leads anywhere in a mail. */
export type CheckMeans = { bytesIn(locale: string): number; hasWebAddress: boolean }

export function checkMail(document: MailDocument, means: CheckMeans): MailCheck[] {
  return Object.keys(document.texts).flatMap((locale) => checkLocale(document, locale, means))
}

type Note = (code: MailCheckCode, more?: { node?: string; value?: string }) => void

function checkLocale(document: MailDocument, locale: string, { bytesIn, hasWebAddress }: CheckMeans): MailCheck[] {
  const found: MailCheck[] = []
  const note: Note = (code, more = {}) => found.push({ code, level: LEVELS[code], locale, ...more })
  const texts = document.texts[locale]!
  checkSubject(texts.subject, note)
  const bytes = bytesIn(locale)
  if (bytes > LIMITS.mailBytes) note('too_large', { value: String(bytes) })
  else if (bytes > LIMITS.mailBytesWarned) note('large', { value: String(bytes) })
  const others = Object.entries(document.texts).filter(([other]) => other !== locale)
  for (const node of nodesOf(document)) {
    if (TEXT_OF[node.type] === null) continue
    const text = Object.hasOwn(texts.nodes, node.id) ? texts.nodes[node.id] : undefined
    if (text !== undefined) checkNode(node.id, text, hasWebAddress, note)
    else if (others.some(([, { nodes }]) => Object.hasOwn(nodes, node.id))) note('text_missing', { node: node.id })
  }
  for (const { section } of partsOf(document)) note('part_missing', { node: section })
  if (texts.html !== undefined) checkHtml(HTML_NODE, texts.html, hasWebAddress, note)
  const { words, pictures } = countWords(texts)
  if (words === 0 && pictures === 0) note('nothing_said')
  else if (pictures > 0 && words < WORDS) note('few_words', { value: String(words) })
  return found
}

function checkSubject(subject: string, note: Note): void {
  const said = subject.trim()
  if (said === '') return note('subject_missing')
  const length = textLength(said)
  if (length > SUBJECT) note('subject_long', { value: String(length) })
  const letters = said.replaceAll(/\{\{[^{}]*\}\}|[^\p{Lu}\p{Ll}]/gu, '')
  if (/!!/.test(said) || (letters.length >= 8 && letters === letters.toUpperCase())) note('subject_loud')
}

function checkNode(node: string, text: NodeText, hasWebAddress: boolean, note: Note): void {
  const link = (url: string, words: string) => checkLink(node, { url, words }, hasWebAddress, note)
  if ('label' in text) {
    if (text.label.trim() === '' || text.url === '') note('button_unfinished', { node })
    else link(text.url, text.label)
    return
  }
  if ('src' in text) {
    if (text.src === '' || (text.src.startsWith('/') && !hasWebAddress)) note('picture_missing', { node })
    if (text.url !== undefined && text.url !== '') link(text.url, '')
    return
  }
  if ('html' in text) return checkHtml(node, text.html, hasWebAddress, note)
  if (text.string !== undefined && text.blocks.length === 0) note('string_missing', { node, value: text.string })
  for (const runs of text.blocks.flatMap(linesOf)) for (const { v, url } of runs) if (url !== undefined && url !== '') link(url, v)
}

/** Each picture and each link of own HTML; those of links have their places. */
function checkHtml(id: string, html: string, hasWebAddress: boolean, note: Note): void {
  for (const { src, alt, isBackground } of picturesOfHtml(html)) {
    if (!isBackground && alt === undefined) note('alt_missing', { node: id, value: src })
    if (src === '' || (src.startsWith('/') && !hasWebAddress)) note('picture_missing', { node: id, value: src })
  }
  const seen = new Set<number>()
  for (const { number, url, words } of linksOfHtml(html).toReversed()) {
    if (!seen.has(number)) checkLink(linkNode(id, number), { url, words }, hasWebAddress, note)
    seen.add(number)
  }
}

function checkLink(node: string, { url, words }: { url: string; words: string }, hasWebAddress: boolean, note: Note): void {
  if (url.startsWith('/') && !hasWebAddress) return note('link_leads_nowhere', { node, value: url })
  const host = hostOf(url)
  if (host === undefined) return
  if (/^(\d{1,3}\.){3}\d{1,3}$|^\[/.test(host)) note('link_to_number', { node, value: url })
  const shown = /^(?:https?:\/\/)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:[/?#:]\S*)?$/i.exec(words.trim())?.[1]?.toLowerCase()
  if (shown !== undefined && shown.replace(/^www\./, '') !== host.replace(/^www\./, '')) note('link_shows_other_host', { node, value: url })
}

/** In small letters, without a port; undefined: it is no link of the web, or its host is a token. */
function hostOf(url: string): string | undefined {
  const host = /^https:\/\/(\[[^\]]*\]|[^/?#:@]+)/i.exec(url)?.[1]?.toLowerCase()
  return host === undefined || host.includes('{{') ? undefined : host
}

/** The words alone, without addresses and without those that stand for pictures. */
const WORDS_ALONE = { hrefOf: () => undefined, sourceOf: () => undefined, unsubscribeUrl: undefined }

function countWords({ nodes, html }: MailTexts): { words: number; pictures: number } {
  let [words, pictures] = [0, 0]
  const count = (text: string) => {
    words += text.split(/\s+/).filter((word) => word !== '').length
  }
  const countHtml = (id: string, said: string) => {
    count(textOfHtml(said, id, WORDS_ALONE).replaceAll(/^- /gm, ''))
    pictures += picturesOfHtml(said).length
  }
  if (html !== undefined) countHtml(HTML_NODE, html)
  for (const [id, text] of Object.entries(nodes)) {
    if ('label' in text) count(text.label)
    else if ('html' in text) countHtml(id, text.html)
    else if ('src' in text) pictures++
    else for (const runs of text.blocks.flatMap(linesOf)) count(runs.map(({ v }) => v).join(''))
  }
  return { words, pictures }
}
