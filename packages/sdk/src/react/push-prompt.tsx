/** The question before the question: asks in words of the app whether messages are welcome, and the browser only after a yes. */
import { useEffect, useId, useState, type CSSProperties, type ReactNode } from 'react'
import type { WebPush, WebPushState } from '../web-push/index.ts'

export type PushPromptTexts = {
  title: string
  body?: string
  accept: string
  decline: string
  /** Shown on an iPhone or iPad outside of the home screen: how to add the app there. Without it nothing is shown there. */
  install?: string
}

export type PushPromptProps = {
  /** What `webPush` returned. */
  push: WebPush
  texts: PushPromptTexts
  /** The moment is right, for instance after an order. As long as it is false nothing is shown. */
  when: boolean
  /** What came of it, after the browser asked or the person declined. */
  onAnswer?: (state: WebPushState) => void
}

/** Who declined is left alone for 30 days. */
const REST_MS = 30 * 86_400_000
const ASKED = 'contentflow:push-asked'

/** Draws nothing unless the browser would ask, `when` is true and nobody declined in the last 30 days. */
export function PushPrompt({ push, texts, when, onAnswer }: PushPromptProps): ReactNode {
  const [state, setState] = useState<WebPushState>()
  const [isOver, setOver] = useState(false)
  const id = useId()
  useEffect(() => {
    let isGone = false
    if (when && !hasDeclined())
      push.state().then(
        (now) => {
          if (!isGone) setState(now)
        },
        () => undefined,
      )
    return () => {
      isGone = true
    }
  }, [push, when])

  const end = (answer: WebPushState) => {
    setOver(true)
    noteAsked()
    onAnswer?.(answer)
  }
  const isInstall = state === 'install_first' && texts.install !== undefined
  if (!when || isOver || (state !== 'default' && !isInstall)) return null
  const accept = () =>
    push.ask().then(end, () => {
      // It may be offered again when it failed on the way.
      setOver(true)
      onAnswer?.('default')
    })
  return (
    <section className="cf-push-prompt" role="dialog" aria-labelledby={`${id}title`} aria-describedby={`${id}body`} style={BOX}>
      <strong id={`${id}title`}>{texts.title}</strong>
      <span id={`${id}body`}>{isInstall ? texts.install : texts.body}</span>
      <span style={BUTTONS}>
        {!isInstall && (
          <button type="button" className="cf-push-accept" style={{ ...BUTTON, ...STRONG }} onClick={() => void accept()}>
            {texts.accept}
          </button>
        )}
        <button type="button" className="cf-push-decline" style={BUTTON} onClick={() => end(state)}>
          {texts.decline}
        </button>
      </span>
    </section>
  )
}

function hasDeclined(): boolean {
  try {
    return Date.now() - Number(localStorage.getItem(ASKED) ?? 0) < REST_MS
  } catch {
    return false
  }
}

function noteAsked(): void {
  try {
    localStorage.setItem(ASKED, String(Date.now()))
  } catch {
    // Then it may be asked again on the next page.
  }
}

/** With the colours of the designs, where their styles are loaded. */
const BOX: CSSProperties = {
  display: 'grid',
  gap: 8,
  padding: 16,
  borderRadius: 'var(--cf-radius, 18px)',
  border: '1px solid var(--cf-line, #e6e1d8)',
  background: 'var(--cf-surface, #fff)',
  color: 'var(--cf-text, #1d1b18)',
  fontFamily: 'var(--cf-font, inherit)',
}
const BUTTONS: CSSProperties = { display: 'flex', flexWrap: 'wrap', gap: 8 }
const BUTTON: CSSProperties = {
  font: 'inherit',
  minBlockSize: 44,
  paddingInline: 16,
  borderRadius: 999,
  border: '1px solid currentcolor',
  background: 'transparent',
  color: 'inherit',
  cursor: 'pointer',
}
const STRONG: CSSProperties = { background: 'var(--cf-accent, #0b6354)', color: 'var(--cf-on-accent, #fff)', borderColor: 'transparent' }
