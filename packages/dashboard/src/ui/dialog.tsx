import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef, useState, type RefObject } from 'react'

/**
 * A window over the page that has the focus as long as it is open. The library gives it once, to what is marked for it;
 * where that cannot take it yet, or is locked while something is under way, the focus would stay on the page behind.
 */
export function Dialog(props: ModalProps) {
  // Read when it is asked for: the element that opened the window may be gone once it is drawn, as a menu is.
  const opener = useRef<Element | null>(null)
  const [isOpen, setOpen] = useState(false)
  if (props.opened !== isOpen) {
    setOpen(props.opened)
    if (props.opened) opener.current = openerOf(document.activeElement)
  }
  return (
    <Modal {...props}>
      <KeepFocus opener={opener} />
      {props.children}
    </Modal>
  )
}

/** Stands in the window itself, for its content is there only while it is open. */
export function KeepFocus({ opener }: { opener?: RefObject<Element | null> }) {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = mark.current?.closest<HTMLElement>('[aria-modal]')
    if (!dialog) return undefined
    const opened = opener?.current ?? openerOf(document.activeElement)
    /** Whether the focus was moved inside the window; until then it follows the marked element. */
    let hasMoved = false
    const move = () => {
      hasMoved = true
    }
    const keep = () => {
      const { activeElement } = document
      if (!isUppermost(dialog) || isWithin(activeElement, dialog)) return
      const wanted = dialog.querySelector<HTMLElement>('[data-autofocus]:not(:disabled)')
      if (activeElement === dialog && (hasMoved || !wanted)) return
      ;(wanted ?? dialog).focus({ preventScroll: true })
    }
    // After the library's own call, which comes with the next task too.
    const timer = setTimeout(keep)
    const observer = new MutationObserver(keep)
    observer.observe(dialog, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled', 'data-disabled'] })
    document.addEventListener('focusin', keep)
    for (const kind of ['keydown', 'pointerdown']) dialog.addEventListener(kind, move)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', keep)
      for (const kind of ['keydown', 'pointerdown']) dialog.removeEventListener(kind, move)
      // Windows that are taken out of the page as a whole never come to the library's own return.
      setTimeout(() => giveBack(opened))
    }
  }, [opener])
  return <span ref={mark} hidden />
}

function isUppermost(dialog: Element): boolean {
  return [...document.querySelectorAll('[aria-modal]')].at(-1) === dialog
}

/** Whether an element is in this window, or in a list or calendar of it, which are beside it in the page. */
function isWithin(element: Element | null, dialog: HTMLElement): boolean {
  if (element === null || element === document.body || element === dialog) return false
  return dialog.contains(element) || !document.getElementById('root')?.contains(element)
}

/** The element with the focus; for one in a menu, which closes, the button of the menu. */
function openerOf(element: Element | null): Element | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : element
}

function giveBack(opener: Element | null): void {
  const { activeElement } = document
  const isLost = activeElement === null || activeElement === document.body || !activeElement.isConnected
  if (isLost && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
}
