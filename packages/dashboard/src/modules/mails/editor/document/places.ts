/** Where the parts of a mail stand, and how one goes from part to part. */
import type { MailDocument, MailNode, MailSection } from '@contentflow/core/mail/document.ts'

/** Where a node stands, or is to stand: in the column of a section, before the node with this index. */
export type Place = { section: string; column: number; index: number }

/** A section of columns, which is what nodes stand in. */
export type ColumnSection = Extract<MailSection, { type: 'section' }>

/** A section or a node, in the order of reading. */
export type Part = { kind: 'section'; section: MailSection } | { kind: 'node'; node: MailNode; place: Place }

export function hasColumns(section: MailSection): section is ColumnSection {
  return section.type === 'section'
}

/** The id of a part, which no other part of the mail has. */
export function idOf(part: Part): string {
  return part.kind === 'section' ? part.section.id : part.node.id
}

/** Every section, each followed by its nodes. */
export function partsOf({ sections }: Pick<MailDocument, 'sections'>): Part[] {
  return sections.flatMap((section): Part[] => {
    const head: Part = { kind: 'section', section }
    if (!hasColumns(section)) return [head]
    const nodes = section.columns.flatMap((column, at) =>
      column.nodes.map((node, index): Part => ({ kind: 'node', node, place: { section: section.id, column: at, index } })),
    )
    return [head, ...nodes]
  })
}

/** Undefined: the mail has no such part (any more). */
export function partOf(document: Pick<MailDocument, 'sections'>, id: string | undefined): Part | undefined {
  return id === undefined ? undefined : partsOf(document).find((part) => idOf(part) === id)
}

/** The next part in the order of reading, or the one before; at the ends, the part itself. */
export function neighbour(document: Pick<MailDocument, 'sections'>, id: string, step: 1 | -1): string {
  const ids = partsOf(document).map(idOf)
  return ids[ids.indexOf(id) + step] ?? id
}

/** Where a new node goes: behind the selected one, at the end of the selected section, or else at the end of the last section with columns. */
export function placeBehind(document: Pick<MailDocument, 'sections'>, selected: string | undefined): Place | undefined {
  const part = partOf(document, selected)
  if (part?.kind === 'node') return { ...part.place, index: part.place.index + 1 }
  const section = part?.kind === 'section' && hasColumns(part.section) ? part.section : document.sections.findLast(hasColumns)
  return section && { section: section.id, column: 0, index: section.columns[0]?.nodes.length ?? 0 }
}

/** Where a new section goes: behind the selected one or that of the selected node, and always before the footer. */
export function indexBehind({ sections }: Pick<MailDocument, 'sections'>, selected: string | undefined): number {
  const part = partOf({ sections }, selected)
  const id = part?.kind === 'node' ? part.place.section : part?.section.id
  const at = sections.findIndex((section) => section.id === id)
  return Math.min(at === -1 ? sections.length : at + 1, lastIndex(sections))
}

/** The greatest index at which a section may stand: the footer stays the last. */
export function lastIndex(sections: readonly MailSection[]): number {
  return sections.at(-1)?.type === 'footer' ? sections.length - 1 : sections.length
}
