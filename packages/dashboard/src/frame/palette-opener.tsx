import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { loadTexts } from '../i18n.ts'
import { loadAccountItems } from './menus/account-menu.tsx'
import { loadNotices } from './notices.tsx'
import { loadWorkspaceItems } from './menus/workspace-menu.tsx'

/** The palette finds words of both languages, so it loads the Arabic ones; when that fails it says so and finds English ones. */
async function load() {
  const [{ Palette: Opened }] = await Promise.all([import('./palette.tsx'), loadTexts('ar').catch(() => undefined)])
  return { default: Opened }
}
const Palette = lazy(load)

/** What the frame does not begin with; the palette is the first. */
const LATER = [load, loadNotices, loadAccountItems, loadWorkspaceItems]
/** Milliseconds after which it is fetched, so that it opens at once. */
const FETCHED_AFTER_MS = 1_500

/** Opens with Ctrl K or when asked to. Keys that are pressed before its field is there are kept for it. */
export function PaletteOpener({ isWanted, onWanted }: { isWanted: boolean; onWanted: (isWanted: boolean) => void }) {
  const [text, setText] = useState('')
  const [isEntered, setEntered] = useState(false)
  /** Between being asked for and having a field: known at once, because keys can come before anything is drawn anew. */
  const isOpening = useRef(false)
  useEffect(() => {
    // When loading fails here, opening it tries again.
    const timer = setTimeout(() => {
      for (const each of LATER) void each().catch(() => undefined)
    }, FETCHED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isWanted) isOpening.current = true
  }, [isWanted])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      // Where words with links are written, the same keys make a link.
      const isWriting = target instanceof HTMLElement && target.isContentEditable
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'k' && !isWriting) {
        event.preventDefault()
        isOpening.current = true
        onWanted(true)
        return
      }
      if (!isOpening.current || ctrlKey || metaKey || altKey) return
      if (key === 'Enter') setEntered(true)
      else if (key === 'Backspace') setText((before) => before.slice(0, -1))
      else if (key.length === 1) setText((before) => before + key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [onWanted])
  if (!isWanted) return null
  const close = () => {
    setText('')
    setEntered(false)
    isOpening.current = false
    onWanted(false)
  }
  return (
    <Suspense>
      <Palette text={text} onText={setText} isEntered={isEntered} onReady={() => (isOpening.current = false)} onClose={close} />
    </Suspense>
  )
}
