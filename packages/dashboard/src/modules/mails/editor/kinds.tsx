/** The parts that a mail is made of, as the editor names and shows them: a type that is added to the mail has its line here. */
import {
  IconBuildingStore,
  IconCode,
  IconH1,
  IconLetterCase,
  IconPhoto,
  IconRectangle,
  IconSeparatorHorizontal,
  IconShare,
  IconSpacingVertical,
  type TablerIcon,
} from '@tabler/icons-react'
import { linesOf, type MailDocument, type MailNode, type NodeText, type NodeType } from '@contentflow/core/mail/document.ts'
import type { Part } from './document/places.ts'
import { catalogKeyOf, textOf } from './document/change-texts.ts'
import { useEditing } from './editing-context.ts'
import { useTexts } from './texts.ts'

/** In the order in which the palette offers them. */
export const NODE_ICONS: { [type in NodeType]: TablerIcon } = {
  heading: IconH1,
  text: IconLetterCase,
  image: IconPhoto,
  button: IconRectangle,
  divider: IconSeparatorHorizontal,
  spacer: IconSpacingVertical,
  logo: IconBuildingStore,
  social: IconShare,
  html: IconCode,
}

/** The words of a node in short; empty: it says nothing. */
export function wordsOf(text: NodeText | undefined): string {
  if (text === undefined) return ''
  if ('label' in text) return text.label
  if ('src' in text) return text.alt
  if ('html' in text)
    return text.html
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 60)
  const words = text.blocks.flatMap(linesOf).map((runs) => runs.map(({ v }) => v).join(''))
  return words.join(' ').trim().slice(0, 60)
}

/** What a part of the mail that is edited is called. */
export function usePartName(): (part: Part) => string {
  const { document } = useEditing()
  const nameIn = usePartNameIn()
  return (part) => nameIn(document, part)
}

/** What a part of a mail is called: its type, and its words in the language that is written or else the source language. */
export function usePartNameIn(): (mail: MailDocument, part: Part) => string {
  const t = useTexts()
  const { locale, source, parts } = useEditing()
  return (mail, part) => {
    if (part.kind === 'section') {
      if (part.section.type === 'footer') return t('type_footer')
      if (part.section.type === 'products') return t('type_products')
      if (part.section.type === 'part') {
        const name = parts.get(part.section.part)?.name
        return name === undefined ? t('type_part') : t('named', { type: t('type_part'), words: name })
      }
      return t('sectionNamed', { number: mail.sections.indexOf(part.section) + 1 })
    }
    const { node } = part
    const words = wordsOf(textOf(mail, locale, node.id)) || (source === undefined ? '' : wordsOf(textOf(mail, source, node.id)))
    const type = t(`type_${node.type}`)
    return words === '' ? type : t('named', { type, words })
  }
}

/** Whether its words are written on the canvas. */
export function isWritten({ type }: MailNode): boolean {
  return type === 'heading' || type === 'text'
}

/** The same, where they are not taken from the catalog of texts. */
export function isWrittenHere(mail: MailDocument, locale: string, node: MailNode): boolean {
  return isWritten(node) && catalogKeyOf(mail, locale, node.id) === undefined
}
