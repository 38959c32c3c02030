/** Reads what a variant says in its mail of sections. Whether the mail has such nodes is seen when the two are laid together. */
import { isPlainObject } from '../../blocks/field.ts'
import { Fault, fault, object, shown } from '../../journeys/read-values.ts'
import { LIMITS } from '../../limits.ts'
import { languageTag } from '../../locale/language-tag.ts'
import { faultOfLocale } from '../../messages/content.ts'
import type { NodeText, NodeType } from '../document.ts'
import { readNodeText, readSubject } from '../read-document.ts'
import type { VariantMail, VariantTexts } from './variant-mail.ts'

export type ReadVariantMail = { ok: true; value: VariantMail } | { ok: false; error: string }

/** `at`: the member that holds it; a refusal names the place below it, such as `content.en.variants[0].mail.texts.en.subject`. */
export function readVariantMail(at: string, value: unknown): ReadVariantMail {
  try {
    return { ok: true, value: read(at, value) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

function read(at: string, value: unknown): VariantMail {
  const sent = object(at, value, ['texts', 'hidden'])
  if (JSON.stringify(sent).length > LIMITS.mailCharacters) fault(`${at} must have at most ${LIMITS.mailCharacters} characters as JSON`)
  const { texts, hidden } = sent
  return {
    ...(texts !== undefined && { texts: readTexts(`${at}.texts`, texts) }),
    ...(hidden !== undefined && { hidden: readHidden(`${at}.hidden`, hidden) }),
  }
}

function readTexts(at: string, value: unknown): { [locale: string]: VariantTexts } {
  if (!isPlainObject(value)) fault(`${at} must be an object with a member for each language`)
  const entries = Object.entries(value)
  if (entries.length > LIMITS.mailLocales) fault(`${at} must have at most ${LIMITS.mailLocales} languages`)
  const known = new Set<string>()
  const said = entries.map(([locale, sent]): [string, VariantTexts] => {
    const wrong = faultOfLocale(locale)
    if (wrong !== undefined) fault(`${at}.${wrong}`)
    const tag = languageTag(locale)
    if (known.has(tag)) fault(`${at} has the language ${locale} twice`)
    known.add(tag)
    return [tag, readTextsOf(`${at}.${locale}`, sent)]
  })
  return Object.fromEntries(said)
}

function readTextsOf(at: string, value: unknown): VariantTexts {
  const { subject, preheader, nodes } = object(at, value, ['subject', 'preheader', 'nodes'])
  return {
    ...(subject !== undefined && { subject: readSubject(`${at}.subject`, subject) }),
    ...(preheader !== undefined && { preheader: readSubject(`${at}.preheader`, preheader) }),
    ...(nodes !== undefined && { nodes: readNodes(`${at}.nodes`, nodes) }),
  }
}

function readNodes(at: string, value: unknown): { [id: string]: NodeText } {
  if (!isPlainObject(value)) fault(`${at} must be an object with a text for each node`)
  const entries = Object.entries(value)
  if (entries.length > LIMITS.mailNodes) fault(`${at} must have at most ${LIMITS.mailNodes} nodes`)
  return Object.fromEntries(
    entries.map(([id, text]): [string, NodeText] => {
      const here = `${at}[${shown(id)}]`
      return [id, readNodeText(here, text, { type: typeOf(text) })]
    }),
  )
}

/** The mail is not at hand, so what a text is follows from its members. */
function typeOf(text: unknown): NodeType {
  if (!isPlainObject(text)) return 'text'
  if ('label' in text) return 'button'
  return 'src' in text ? 'image' : 'text'
}

function readHidden(at: string, value: unknown): string[] {
  const most = LIMITS.mailNodes + LIMITS.mailSections
  const isRight = Array.isArray(value) && value.length <= most && value.every((id) => typeof id === 'string' && id.length <= 40)
  return isRight ? [...new Set(value as string[])] : fault(`${at} must be an array of ids of nodes or sections`)
}
