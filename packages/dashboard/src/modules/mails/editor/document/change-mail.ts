/** Changes of a mail's structure: pure, each gives a new document. Ids stay with what they name, for links and texts hang on them. */
import type { MailColumn, MailDocument, MailNode, MailSection, MailTexts } from '@contentflow/core/mail/document.ts'
import { hasColumns, lastIndex, partOf, type ColumnSection, type Place } from './places.ts'

/** Gives an id that no part of the mail has or had. */
export type MakeId = () => string

/** Eight letters and digits by chance. */
export const randomId: MakeId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('')

/** `index`: before which section; the footer stays the last. */
export function insertSection(document: MailDocument, section: MailSection, index: number): MailDocument {
  const at = Math.min(Math.max(0, index), lastIndex(document.sections))
  return { ...document, sections: document.sections.toSpliced(at, 0, section) }
}

/** At a place that is not there, nothing changes. */
export function insertNode(document: MailDocument, node: MailNode, { section, column, index }: Place): MailDocument {
  return inColumn(document, { section, column }, (nodes) => nodes.toSpliced(index, 0, node))
}

/** `place`: as the mail is before the move. */
export function moveNode(document: MailDocument, id: string, place: Place): MailDocument {
  const part = partOf(document, id)
  const target = document.sections.find((section) => section.id === place.section)
  if (part?.kind !== 'node' || !target || !hasColumns(target) || !target.columns[place.column]) return document
  const from = part.place
  const isSameColumn = from.section === place.section && from.column === place.column
  const index = isSameColumn && from.index < place.index ? place.index - 1 : place.index
  if (isSameColumn && index === from.index) return document
  const without = inColumn(document, from, (nodes) => nodes.toSpliced(from.index, 1))
  return insertNode(without, part.node, { ...place, index })
}

/** `index`: before which section, as the mail is before the move. The footer is not moved. */
export function moveSection(document: MailDocument, id: string, index: number): MailDocument {
  const from = document.sections.findIndex((section) => section.id === id)
  const section = document.sections[from]
  const at = from < index ? index - 1 : index
  if (!section || section.type === 'footer' || at === from) return document
  return insertSection({ ...document, sections: document.sections.toSpliced(from, 1) }, section, at)
}

/** One place up or down: a node within its column, beyond its end into the next one; a section among the sections. */
export function stepPart(document: MailDocument, id: string, step: 1 | -1): MailDocument {
  const part = partOf(document, id)
  if (!part) return document
  if (part.kind === 'section') {
    const at = document.sections.findIndex((section) => section.id === id)
    const next = step === 1 ? at + 2 : at - 1
    return next < 0 || next > lastIndex(document.sections) ? document : moveSection(document, id, next)
  }
  const { section, column, index } = part.place
  const columns = document.sections.filter(hasColumns).flatMap((each) => each.columns.map(({ nodes }, at) => ({ each, at, nodes })))
  const here = columns.findIndex(({ each, at }) => each.id === section && at === column)
  const isInside = step === 1 ? index < (columns[here]?.nodes.length ?? 0) - 1 : index > 0
  if (isInside) return moveNode(document, id, { section, column, index: step === 1 ? index + 2 : index - 1 })
  const beyond = columns[here + step]
  if (!beyond) return document
  return moveNode(document, id, { section: beyond.each.id, column: beyond.at, index: step === 1 ? 0 : beyond.nodes.length })
}

/** A section goes with all its nodes, a node with its texts in all languages. The footer stays. */
export function removePart(document: MailDocument, id: string): MailDocument {
  const part = partOf(document, id)
  if (!part || (part.kind === 'section' && part.section.type === 'footer')) return document
  if (part.kind === 'node') {
    const { place } = part
    return withoutTexts(
      inColumn(document, place, (nodes) => nodes.toSpliced(place.index, 1)),
      [id],
    )
  }
  const gone = hasColumns(part.section) ? part.section.columns.flatMap(({ nodes }) => nodes.map((node) => node.id)) : []
  return withoutTexts({ ...document, sections: document.sections.filter((section) => section.id !== id) }, gone)
}

/** A copy behind the part, with ids of its own and the texts of all languages. `id`: of the copy; undefined: there is none. */
export function duplicatePart(document: MailDocument, id: string, makeId: MakeId): { document: MailDocument; id: string | undefined } {
  const part = partOf(document, id)
  if (!part || (part.kind === 'section' && part.section.type === 'footer')) return { document, id: undefined }
  const copies = new Map<string, string>()
  const copyOf = <T extends { id: string }>(of: T): T => {
    const next = makeId()
    copies.set(of.id, next)
    return { ...of, id: next }
  }
  if (part.kind === 'node') {
    const copy = copyOf(part.node)
    const placed = insertNode(document, copy, { ...part.place, index: part.place.index + 1 })
    return { document: withCopiedTexts(placed, copies), id: copy.id }
  }
  const { section } = part
  const copy = hasColumns(section)
    ? { ...copyOf(section), columns: section.columns.map((column) => ({ ...column, nodes: column.nodes.map(copyOf) })) }
    : copyOf(section)
  const at = document.sections.findIndex((each) => each.id === id) + 1
  return { document: withCopiedTexts(insertSection(document, copy, at), copies), id: copy.id }
}

/** `part`: the members that change; an undefined one is left out from then on. */
export function changeNode(document: MailDocument, id: string, part: { [member: string]: unknown }): MailDocument {
  return eachColumn(document, (column) => ({
    ...column,
    nodes: column.nodes.map((node) => (node.id === id ? withMembers(node, part) : node)),
  }))
}

/** As `changeNode`. */
export function changeSection(document: MailDocument, id: string, part: { [member: string]: unknown }): MailDocument {
  return { ...document, sections: document.sections.map((section) => (section.id === id ? withMembers(section, part) : section)) }
}

/** `widths`: percent of each column, 100 together. Nodes of columns that go stand in the last one that stays. */
export function setColumns(document: MailDocument, id: string, widths: readonly number[]): MailDocument {
  const sections = document.sections.map((section): MailSection => {
    if (section.id !== id || !hasColumns(section)) return section
    const beyond = section.columns.slice(widths.length).flatMap(({ nodes }) => nodes)
    const columns = widths.map((width, at): MailColumn => {
      const nodes = section.columns[at]?.nodes ?? []
      return { width, nodes: at === widths.length - 1 ? [...nodes, ...beyond] : nodes }
    })
    return { ...section, columns }
  })
  return { ...document, sections }
}

function withMembers<T extends object>(of: T, part: { [member: string]: unknown }): T {
  return Object.fromEntries(Object.entries({ ...of, ...part }).filter(([, value]) => value !== undefined)) as T
}

function eachColumn(document: MailDocument, change: (column: MailColumn, section: ColumnSection, at: number) => MailColumn): MailDocument {
  const sections = document.sections.map((section) =>
    hasColumns(section) ? { ...section, columns: section.columns.map((column, at) => change(column, section, at)) } : section,
  )
  return { ...document, sections }
}

type ColumnPlace = { section: string; column: number }

function inColumn(document: MailDocument, place: ColumnPlace, change: (nodes: MailNode[]) => MailNode[]): MailDocument {
  return eachColumn(document, (column, section, at) =>
    section.id === place.section && at === place.column ? { ...column, nodes: change(column.nodes) } : column,
  )
}

function eachLanguage(document: MailDocument, change: (nodes: MailTexts['nodes']) => MailTexts['nodes']): MailDocument {
  const texts = Object.entries(document.texts).map(([locale, said]) => [locale, { ...said, nodes: change(said.nodes) }])
  return { ...document, texts: Object.fromEntries(texts) }
}

function withoutTexts(document: MailDocument, ids: readonly string[]): MailDocument {
  return eachLanguage(document, (nodes) => Object.fromEntries(Object.entries(nodes).filter(([id]) => !ids.includes(id))))
}

function withCopiedTexts(document: MailDocument, copies: ReadonlyMap<string, string>): MailDocument {
  return eachLanguage(document, (nodes) => {
    const copied = Object.entries(nodes).flatMap(([id, text]) => {
      const copy = copies.get(id)
      return copy === undefined ? [] : [[copy, structuredClone(text)] as const]
    })
    return { ...nodes, ...Object.fromEntries(copied) }
  })
}
