import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Icon } from '../icons.tsx'
import { useText } from '../use-text.ts'

/** A modal of the browser: the focus stays inside, and Escape closes it when it may be closed. */
export function Modal({ title, onClose, children }: { title: string; onClose: (() => void) | undefined; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const titleId = useId()
  const { t } = useText()
  const [mustDecide] = useState(onClose === undefined)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // It came by itself, perhaps while somebody was typing or scrolling: the first key must not tick an answer.
    if (mustDecide) heading.current?.focus()
    return () => element?.close()
  }, [mustDecide])
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className="modal-head">
        <h2 id={titleId} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        {onClose && (
          <button type="button" className="tool tool--icon" aria-label={t('app.action.close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}
