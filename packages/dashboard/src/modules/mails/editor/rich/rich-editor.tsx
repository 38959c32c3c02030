import { EditorState, Selection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { useEffect, useId, useLayoutEffect, useRef, useState, type CSSProperties } from 'react'
import type { Alignment, MailNode, NodeText, RichText } from '@contentflow/core/mail/document.ts'
import { setText, textOf } from '../document/change-texts.ts'
import { useEditing } from '../editing-context.ts'
import { useTexts } from '../texts.ts'
import { fromEditor, toEditor } from './convert.ts'
import { richPlugins } from './rich-commands.ts'
import { headingSchema, textSchema } from './schema.ts'
import { RichToolbar } from './rich-toolbar.tsx'
import classes from '../editor.module.css'

type RichEditorProps = { node: MailNode; align: Alignment; link: string }

/** The words of a node while they are written. What is typed at one go is one step of the mail's history. */
export function RichEditor({ node, align, link }: RichEditorProps) {
  const t = useTexts()
  const editing = useEditing()
  const { document: mail, locale, writing } = editing
  const label = t('wordsOf', { name: t(`type_${node.type}`) })
  const group = useId()
  const holder = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [isLinking, setLinking] = useState(false)
  const [, draw] = useState(0)
  const latest = useRef(editing)
  useLayoutEffect(() => {
    latest.current = editing
  })
  const schema = node.type === 'heading' ? headingSchema : textSchema
  const { id } = node
  const text = richOf(textOf(mail, locale, id))
  const [start] = useState({ text, at: writing?.at })
  useEffect(() => {
    const made = new EditorView(holder.current, {
      state: EditorState.create({ doc: toEditor(schema, start.text), plugins: richPlugins(schema, () => setLinking(true)) }),
      dispatchTransaction: (transaction) => {
        made.updateState(made.state.apply(transaction))
        draw((count) => count + 1)
        if (!transaction.docChanged || transaction.getMeta('taken') === true) return
        const { document, change, locale: written } = latest.current
        change(setText(document, written, id, fromEditor(made.state.doc)), group)
      },
      handleKeyDown: (_, event) => {
        if (event.key !== 'Escape') return false
        event.stopPropagation()
        latest.current.write(undefined)
        latest.current.select(id, { takesFocus: true })
        return true
      },
    })
    const place = start.at && made.posAtCoords(start.at)
    const { doc, tr } = made.state
    made.dispatch(tr.setSelection(place ? Selection.near(doc.resolve(place.pos)) : Selection.atEnd(doc)))
    made.focus()
    setView(made)
    return () => made.destroy()
  }, [schema, id, group, start])
  useEffect(() => {
    const dom = view?.dom
    dom?.setAttribute('role', 'textbox')
    dom?.setAttribute('aria-multiline', 'true')
    dom?.setAttribute('aria-label', label)
  }, [view, label])
  // Changed from outside, as by undoing a step of the whole mail.
  useEffect(() => {
    if (!view || JSON.stringify(fromEditor(view.state.doc)) === JSON.stringify(text)) return
    const doc = toEditor(view.state.schema, text)
    if (doc.eq(view.state.doc)) return
    view.dispatch(
      view.state.tr.replaceWith(0, view.state.doc.content.size, doc.content).setMeta('taken', true).setMeta('addToHistory', false),
    )
  }, [view, text])
  return (
    <div className={classes.writing} style={{ '--mail-link': link, textAlign: align } as CSSProperties}>
      {view && <RichToolbar view={view} isLinking={isLinking} setLinking={setLinking} />}
      <div ref={holder} />
    </div>
  )
}

function richOf(text: NodeText | undefined): RichText | undefined {
  return text && 'blocks' in text ? text : undefined
}
