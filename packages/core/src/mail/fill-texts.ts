/** The texts of a mail with what is known of the person. */
import type { LinkSchemes } from '../blocks/links/link-schemes.ts'
import { beginsWithPage, fillMember, fillTokens, tokensIn, withPage, type Filled, type TokenValues } from '../messages/tokens.ts'
import type { MailDocument, MailTexts, NodeText, TextBlock, TextRun } from './document.ts'
import { fillHtml, type FillHtml } from './own-html/fill-html.ts'
import type { VariantMail, VariantTexts } from './variants/variant-mail.ts'

/** `token`: the first one of which nothing is known. */
export type FilledTexts = { ok: true; texts: MailTexts } | { ok: false; token: string }

class Unresolved extends Error {}

/**
 * Every text and address; what leads nowhere that the workspace takes is as if its value were not known. `linkHosts`: where
 * links may lead that begin with a token; none: wherever links may lead.
 */
export function fillTexts(
  { subject, preheader, nodes, html }: MailTexts,
  values: TokenValues,
  schemes: LinkSchemes,
  linkHosts: readonly string[] = [],
): FilledTexts {
  const fill: Fill = {
    text: (text) => taken(text, () => fillTokens(text, values)),
    link: (url) => taken(url, () => withinHosts(url, fillMember('ctaUrl', url, values, schemes), linkHosts)),
    picture: (url) => taken(url, () => fillMember('imageUrl', url, values, schemes)),
  }
  try {
    const filled = Object.entries(nodes).map(([id, text]): [string, NodeText] => [id, fillNode(text, fill)])
    const texts: MailTexts = { subject: oneLine(fill.text(subject)), nodes: Object.fromEntries(filled) }
    if (preheader !== undefined) texts.preheader = oneLine(fill.text(preheader))
    if (html !== undefined) texts.html = fillHtml(html, fill)
    return { ok: true, texts }
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
    return { ok: false, token: error.message }
  }
}

/** For members who look at it: with an address for the page of somebody's preferences, and all other tokens as they are written. */
export function showPage({ subject, preheader, nodes, html }: MailTexts, url: string): MailTexts {
  const show = (text: string) => withPage(text, url)
  const fill: Fill = { text: show, link: show, picture: show }
  return {
    subject: show(subject),
    ...(preheader !== undefined && { preheader: show(preheader) }),
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, text]) => [id, fillNode(text, fill)])),
    ...(html !== undefined && { html: fillHtml(html, fill) }),
  }
}

/** Every text of it that may have tokens. */
export function textsOfMail({ subject = '', preheader = '', nodes = {}, ...more }: MailTexts | VariantTexts): string[] {
  const html = 'html' in more ? (more.html ?? '') : ''
  const found = [subject, preheader]
  const note = (text: string) => {
    found.push(text)
    return text
  }
  const fill = { text: note, link: note, picture: note }
  for (const text of Object.values(nodes)) fillNode(text, fill)
  fillHtml(html, fill)
  return found
}

/** The same of every language of a mail, or of what a variant says in it; none where there is no such mail. */
export function textsOfMails(mail: MailDocument | VariantMail | null | undefined): string[] {
  return Object.values(mail?.texts ?? {}).flatMap(textsOfMail)
}

type Fill = FillHtml

function taken(text: string, fill: () => { ok: true; text: string } | { ok: false; token: string }): string {
  if (!text.includes('{{')) return text
  const filled = fill()
  if (!filled.ok) throw new Unresolved(filled.token)
  return filled.text
}

function fillNode(text: NodeText, fill: Fill): NodeText {
  if ('label' in text) return { label: fill.text(text.label), url: fill.link(text.url) }
  if ('src' in text)
    return { src: fill.picture(text.src), alt: fill.text(text.alt), ...(text.url !== undefined && { url: fill.link(text.url) }) }
  if ('html' in text) return { html: fillHtml(text.html, fill) }
  return { ...text, blocks: text.blocks.map((block) => fillBlock(block, fill)) }
}

function fillBlock(block: TextBlock, fill: Fill): TextBlock {
  const runs = (line: TextRun[]) =>
    line.map((run) => ({ ...run, v: fill.text(run.v), ...(run.url !== undefined && { url: fill.link(run.url) }) }))
  if ('p' in block) return { p: runs(block.p) }
  return 'ul' in block ? { ul: block.ul.map(runs) } : { ol: block.ol.map(runs) }
}

/** Whoever's data holds a whole address decides where it leads: only hosts that somebody named are taken. An example stays as it is written. */
function withinHosts(written: string, filled: Filled, hosts: readonly string[]): Filled {
  if (!filled.ok || hosts.length === 0 || !written.startsWith('{{') || beginsWithPage(written) || filled.text.startsWith('{{'))
    return filled
  const host = /^https:\/\/([^/?#:@]+)(?::\d+)?(?:[/?#]|$)/i.exec(filled.text)?.[1]?.toLowerCase()
  return host !== undefined && hosts.includes(host) ? filled : { ok: false, token: tokensIn([written])[0] ?? '' }
}

/** A header of a mail is one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
