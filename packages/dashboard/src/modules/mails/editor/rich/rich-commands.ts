/** What can be done to words that are written, for the toolbar and for keys. */
import { baseKeymap, chainCommands, toggleMark } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Mark, MarkType, Schema } from 'prosemirror-model'
import { liftListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState, Plugin } from 'prosemirror-state'

export const STYLES = ['strong', 'em', 'underline', 'strike'] as const
export type Style = (typeof STYLES)[number]
export const LISTS = ['bullet_list', 'ordered_list'] as const
export type ListKind = (typeof LISTS)[number]

const STYLE_KEYS = { strong: 'Mod-b', em: 'Mod-i', underline: 'Mod-u', strike: 'Mod-Shift-x' } as const

/** `openLink`: asks for an address. */
export function richPlugins(schema: Schema, openLink: () => void): Plugin[] {
  const { list_item: item, hard_break: lineBreak } = schema.nodes
  const styles = STYLES.map((style) => [STYLE_KEYS[style], toggleMark(schema.marks[style]!)])
  const breakLine: Command = (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(lineBreak!.create(), true).scrollIntoView())
    return true
  }
  return [
    history(),
    keymap({
      ...(Object.fromEntries(styles) as { [key: string]: Command }),
      'Mod-z': undo,
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      'Shift-Enter': breakLine,
      'Mod-k': (state) => {
        if (!canLink(state)) return false
        openLink()
        return true
      },
      ...(item && { Enter: chainCommands(splitListItem(item), liftListItem(item)), Backspace: liftAtStart(schema) }),
    }),
    keymap(baseKeymap),
  ]
}

/** At the beginning of the first item, the list is left instead of joined with what stands before it. */
function liftAtStart(schema: Schema): Command {
  return (state, dispatch, view) => {
    const { $from, empty } = state.selection
    if (!empty || $from.parentOffset > 0 || $from.depth < 3 || $from.index(-2) > 0) return false
    return liftListItem(schema.nodes['list_item']!)(state, dispatch, view)
  }
}

export function toggleStyle(schema: Schema, style: Style): Command {
  return toggleMark(schema.marks[style]!)
}

/** Whether what is selected, or what is typed next, has this mark. */
export function hasMark({ selection, storedMarks, doc }: EditorState, type: MarkType): boolean {
  if (selection.empty) return type.isInSet(storedMarks ?? selection.$from.marks()) !== undefined
  return doc.rangeHasMark(selection.from, selection.to, type)
}

/** The list around the selection. */
export function listAround({ selection: { $from } }: EditorState): ListKind | undefined {
  const name = $from.depth < 1 ? undefined : $from.node(1).type.name
  return LISTS.find((kind) => kind === name)
}

/** Makes a list of the paragraphs, another kind of the list, or paragraphs of it again. */
export function toggleList(schema: Schema, kind: ListKind): Command {
  return (state, dispatch, view) => {
    const around = listAround(state)
    if (around === kind) return liftListItem(schema.nodes['list_item']!)(state, dispatch, view)
    if (around === undefined) return wrapInList(schema.nodes[kind]!)(state, dispatch, view)
    dispatch?.(state.tr.setNodeMarkup(state.selection.$from.before(1), schema.nodes[kind]))
    return true
  }
}

/** The link at the cursor or at the beginning of the selection, from where to where. */
export function linkAround({ selection: { $from }, schema }: EditorState): { mark: Mark; from: number; to: number } | undefined {
  const type = schema.marks['link']!
  const { parent, parentOffset } = $from
  const at = parent.childAfter(parentOffset)
  const mark = type.isInSet(at.node?.marks ?? []) ?? type.isInSet($from.marks())
  if (!mark) return undefined
  const ranges: { from: number; to: number }[] = []
  parent.forEach((child, offset) => {
    if (!mark.isInSet(child.marks)) return
    const last = ranges.at(-1)
    if (last?.to === offset) last.to = offset + child.nodeSize
    else ranges.push({ from: offset, to: offset + child.nodeSize })
  })
  const range = ranges.find(({ from, to }) => from <= parentOffset && parentOffset <= to)
  const start = $from.start()
  return range && { mark, from: start + range.from, to: start + range.to }
}

/** Words are selected, or the cursor is in a link. */
export function canLink(state: EditorState): boolean {
  return !state.selection.empty || linkAround(state) !== undefined
}

/** Undefined takes it away. `name`: a mark with one attribute, its value. */
export function setMark(name: 'link' | 'color', attribute: 'url' | 'color', value: string | undefined): Command {
  return (state, dispatch) => {
    const type = state.schema.marks[name]!
    const around = name === 'link' && state.selection.empty ? linkAround(state) : undefined
    const { from, to } = around ?? state.selection
    const mark = value === undefined ? undefined : type.create({ [attribute]: value })
    const { tr } = state
    if (from === to) dispatch?.(mark ? tr.addStoredMark(mark) : tr.removeStoredMark(type))
    else dispatch?.(mark ? tr.addMark(from, to, mark) : tr.removeMark(from, to, type))
    return true
  }
}
