import { useEffect, useId, useRef, type ReactNode } from 'react'
import { Actions } from './parts/actions.tsx'
import { CloseButton } from './parts/close-button.tsx'
import { useSettings } from './design-settings.ts'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { PromoCode } from './parts/promo-code.tsx'
import type { Content } from './reading/read-block.ts'
import { Heading, Paragraphs } from './parts/texts.tsx'

/** A dialog over the page. The browser's modal keeps the focus inside, closes on Escape and gives the focus back. */
export function Popup({ content }: { content: Content }) {
  const { block, onDismiss, isInline } = useSettings()
  const titleId = useId()
  const label = content.title === undefined ? {} : { 'aria-labelledby': titleId }
  if (isInline) {
    return (
      <div className="cf-popup cf-popup--inline" role="dialog" {...label}>
        <PopupPanel content={content} titleId={titleId} onClose={() => onDismiss?.(block)} onFollow={() => undefined} />
      </div>
    )
  }
  return (
    <Modal label={label} onDismiss={() => onDismiss?.(block)}>
      {(close) => <PopupPanel content={content} titleId={titleId} onClose={() => close('dismissed')} onFollow={() => close('followed')} />}
    </Modal>
  )
}

type Close = (reason: 'dismissed' | 'followed') => void

function Modal({
  label,
  onDismiss,
  children,
}: {
  label: { 'aria-labelledby'?: string }
  onDismiss: () => void
  children: (close: Close) => ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const latest = useRef(onDismiss)
  useEffect(() => {
    latest.current = onDismiss
  })
  useEffect(() => {
    const element = dialog.current
    if (!element) return undefined
    // jsdom has no modal: there, and in old browsers, it is simply open.
    if ('showModal' in element) element.showModal()
    else (element as HTMLElement).setAttribute('open', '')
    element.querySelector<HTMLElement>('.cf-button')?.focus()
    // A press beside the panel meets the dialog itself; so does one that began inside, to mark a text, and ends beside it.
    let beganOutside = false
    const begin = (event: Event) => {
      beganOutside = event.target === element
    }
    const closeFromOutside = (event: Event) => {
      if (event.target !== element || !beganOutside) return
      closeDialog(element)
      latest.current()
    }
    element.addEventListener('pointerdown', begin)
    element.addEventListener('click', closeFromOutside)
    return () => {
      element.removeEventListener('pointerdown', begin)
      element.removeEventListener('click', closeFromOutside)
      closeDialog(element)
    }
  }, [])
  const close: Close = (reason) => {
    if (dialog.current) closeDialog(dialog.current)
    if (reason === 'dismissed') onDismiss()
  }
  return (
    <dialog ref={dialog} className="cf-popup" {...label} onCancel={onDismiss}>
      {children(close)}
    </dialog>
  )
}

function closeDialog(element: HTMLDialogElement): void {
  if ('close' in element) element.close()
  else (element as HTMLElement).removeAttribute('open')
}

function PopupPanel({
  content,
  titleId,
  onClose,
  onFollow,
}: {
  content: Content
  titleId: string
  onClose: () => void
  onFollow: () => void
}) {
  const picture = content.pictures.find(({ src }) => src !== undefined)
  // Without a button to close it, the cross is always there.
  const hasCross = content.look.mayClose !== false || content.closeLabel === undefined
  return (
    <div className="cf-popup-panel">
      {picture && <Picture picture={picture} />}
      <div className="cf-popup-text">
        {content.badge !== undefined && <span className="cf-badge cf-badge--line">{content.badge}</span>}
        {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
        {content.title !== undefined && (
          <Heading id={titleId} className="cf-popup-title">
            {content.title}
          </Heading>
        )}
        {content.subtitle !== undefined && <p className="cf-subtitle">{content.subtitle}</p>}
        <Paragraphs paragraphs={content.paragraphs} />
        <PriceTag price={content.price} />
        <PromoCode code={content.code} />
        {content.collections.map(({ tag, blocks }) => (
          <ul key={tag} className="cf-stack">
            <Items blocks={blocks} />
          </ul>
        ))}
        <Actions actions={content.actions} closeLabel={content.closeLabel} onClose={onClose} onFollow={onFollow} />
      </div>
      {hasCross && <CloseButton onClose={onClose} />}
    </div>
  )
}
