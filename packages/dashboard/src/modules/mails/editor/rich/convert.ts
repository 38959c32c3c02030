/** Between the words of a mail as they are stored and as they are edited; nothing is lost either way. */
import { Fragment, type Mark, type Node, type Schema } from 'prosemirror-model'
import { linesOf, type RichText, type TextBlock, type TextRun } from '@contentflow/core/mail/document.ts'

const MARKS = [
  ['b', 'strong'],
  ['i', 'em'],
  ['u', 'underline'],
  ['s', 'strike'],
] as const

/** A schema without lists gets their items as paragraphs. */
export function toEditor(schema: Schema, text: RichText | undefined): Node {
  const blocks = (text?.blocks ?? []).flatMap((block) => blockNodes(schema, block))
  return schema.nodes['doc']!.create(null, blocks.length === 0 ? [paragraphOf(schema, [])] : blocks)
}

function blockNodes(schema: Schema, block: TextBlock): Node[] {
  const list = schema.nodes['ul' in block ? 'bullet_list' : 'ordered_list']
  const lines = linesOf(block).map((runs) => paragraphOf(schema, runs))
  if ('p' in block || !list) return lines
  return lines.length === 0
    ? []
    : [
        list.create(
          null,
          lines.map((line) => schema.nodes['list_item']!.create(null, line)),
        ),
      ]
}

function paragraphOf(schema: Schema, runs: readonly TextRun[]): Node {
  return schema.nodes['paragraph']!.create(null, Fragment.fromArray(runs.flatMap((run) => runNodes(schema, run))))
}

function runNodes(schema: Schema, run: TextRun): Node[] {
  const marks = marksOf(schema, run)
  return run.v.split(/\r\n|\r|\n/).flatMap((line, at) => {
    const words = line === '' ? [] : [schema.text(line, marks)]
    return at === 0 ? words : [schema.nodes['hard_break']!.create(null, null, marks), ...words]
  })
}

function marksOf(schema: Schema, run: TextRun): readonly Mark[] {
  const marks = MARKS.flatMap(([member, name]) => (run[member] ? [schema.mark(name)] : []))
  if (run.url !== undefined && run.url !== '') marks.push(schema.mark('link', { url: run.url }))
  if (run.color !== undefined) marks.push(schema.mark('color', { color: run.color }))
  return marks.reduce<readonly Mark[]>((set, mark) => mark.addToSet(set), [])
}

/** Undefined: nothing is written. Pieces of one look that follow each other are one run. */
export function fromEditor(doc: Node): RichText | undefined {
  const blocks = doc.children.map((block): TextBlock => {
    if (block.type.name === 'bullet_list') return { ul: itemsOf(block) }
    if (block.type.name === 'ordered_list') return { ol: itemsOf(block) }
    return { p: runsOf(block) }
  })
  return blocks.flatMap(linesOf).every((runs) => runs.length === 0) ? undefined : { blocks }
}

function itemsOf(list: Node): TextRun[][] {
  return list.children.map((item) => (item.firstChild ? runsOf(item.firstChild) : []))
}

function runsOf(paragraph: Node): TextRun[] {
  const runs: TextRun[] = []
  for (const child of paragraph.children) {
    const look = lookOf(child.marks)
    const last = runs.at(-1)
    const words = child.isText ? (child.text ?? '') : '\n'
    if (last && isSameLook(last, look)) last.v += words
    else runs.push({ v: words, ...look })
  }
  return runs
}

type Look = Omit<TextRun, 'v'>

function lookOf(marks: readonly Mark[]): Look {
  const look: Look = {}
  for (const { type, attrs } of marks) {
    const member = MARKS.find(([, name]) => name === type.name)?.[0]
    if (member) look[member] = true
    if (type.name === 'link') look.url = String(attrs['url'])
    if (type.name === 'color') look.color = String(attrs['color'])
  }
  return look
}

function isSameLook(one: Look, other: Look): boolean {
  return (['b', 'i', 'u', 's', 'url', 'color'] as const).every((member) => one[member] === other[member])
}
