/** What a mail says in each of its languages: pure, each change gives a new document. */
import { nodesOf, TEXT_OF, type MailDocument, type MailTexts, type NodeText } from '@contentflow/core/mail/document.ts'

const NOTHING: MailTexts = { subject: '', nodes: {} }

/** What is said in a language; a language that is not begun says nothing. */
export function textsIn(document: MailDocument, locale: string): MailTexts {
  return Object.hasOwn(document.texts, locale) ? (document.texts[locale] ?? NOTHING) : NOTHING
}

export function textOf(document: MailDocument, locale: string, id: string): NodeText | undefined {
  const { nodes } = textsIn(document, locale)
  return Object.hasOwn(nodes, id) ? nodes[id] : undefined
}

/** The key under which the catalog of texts says what a node says; undefined: its words are written in the mail. */
export function catalogKeyOf(document: MailDocument, locale: string, id: string): string | undefined {
  const text = textOf(document, locale, id)
  return text && 'blocks' in text ? text.string : undefined
}

/** A node without a text is not shown in that language. */
export function setText(document: MailDocument, locale: string, id: string, text: NodeText | undefined): MailDocument {
  const { nodes } = textsIn(document, locale)
  const rest = Object.fromEntries(Object.entries(nodes).filter(([each]) => each !== id))
  return setTexts(document, locale, { nodes: text === undefined ? rest : { ...nodes, [id]: text } })
}

/** An empty preheader is left out. */
export function setTexts(document: MailDocument, locale: string, part: Partial<MailTexts>): MailDocument {
  const { preheader, ...rest } = { ...textsIn(document, locale), ...part }
  const texts: MailTexts = { ...rest, ...(preheader !== undefined && preheader !== '' && { preheader }) }
  return { ...document, texts: { ...document.texts, [locale]: texts } }
}

/** The nodes that speak in another language and not in this one. */
export function missingIn(document: MailDocument, locale: string): string[] {
  const others = Object.keys(document.texts).filter((other) => other !== locale)
  return nodesOf(document)
    .filter(({ type }) => TEXT_OF[type] !== null)
    .map(({ id }) => id)
    .filter((id) => textOf(document, locale, id) === undefined && others.some((other) => textOf(document, other, id) !== undefined))
}

/** Whether something is to be written in this language: the subject, or a node that speaks in another one. */
export function isUnfinished(document: MailDocument, locale: string): boolean {
  return textsIn(document, locale).subject.trim() === '' || missingIn(document, locale).length > 0
}

/** Writes what is missing in a language as it is in another one, to be translated there. */
export function copyMissing(document: MailDocument, from: string, to: string): MailDocument {
  const there = textsIn(document, from)
  const here = textsIn(document, to)
  const copied = missingIn(document, to).flatMap((id) => {
    const text = textOf(document, from, id)
    return text === undefined ? [] : [[id, structuredClone(text)] as const]
  })
  return setTexts(document, to, {
    subject: here.subject.trim() === '' ? there.subject : here.subject,
    preheader: here.preheader ?? there.preheader,
    nodes: { ...here.nodes, ...Object.fromEntries(copied) },
  })
}

/** The language that others are translated from: the workspace's source language where the mail has it, else its first. */
export function sourceOf({ texts }: Pick<MailDocument, 'texts'>, source: string | undefined): string | undefined {
  return source !== undefined && Object.hasOwn(texts, source) ? source : Object.keys(texts)[0]
}
