import { useEffect, useRef, useState } from 'react'
import { Anchor } from './parts/anchor.tsx'
import { CloseButton } from './parts/close-button.tsx'
import { useSettings } from './design-settings.ts'
import { hasIcon, Icon } from './parts/icon.tsx'
import type { Content } from './reading/read-block.ts'
import { Paragraphs } from './parts/texts.tsx'

/** A short message at the edge of the screen. It closes by itself after the time that the block names, but not while the person points at it or uses it. */
export function Toast({ content }: { content: Content }) {
  const { block, onDismiss, isInline } = useSettings()
  const [isClosed, setClosed] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const close = () => {
    setClosed(true)
    onDismiss?.(block)
  }
  useTimeOver(box, isInline || isClosed ? undefined : content.look.durationSeconds, close)
  const { title, subtitle, paragraphs, actions, look } = content
  return (
    <div className="cf-toast-place" role="status">
      {(isInline || !isClosed) && (
        <div ref={box} className="cf-toast">
          {hasIcon(look.icon) && <Icon name={look.icon} />}
          <div className="cf-toast-text">
            {title !== undefined && <p className="cf-bubble-title">{title}</p>}
            {subtitle !== undefined && <p>{subtitle}</p>}
            <Paragraphs paragraphs={paragraphs} />
          </div>
          {actions.map((action) => (
            <Anchor key={action.tag} link={action.link} className="cf-inverse-link">
              {action.label}
            </Anchor>
          ))}
          <CloseButton onClose={close} />
        </div>
      )}
    </div>
  )
}

/** Calls `onOver` once, `seconds` after the person last pointed at the box or was inside it. */
function useTimeOver(box: { readonly current: HTMLElement | null }, seconds: number | undefined, onOver: () => void): void {
  const latest = useRef(onOver)
  useEffect(() => {
    latest.current = onOver
  })
  useEffect(() => {
    if (seconds === undefined) return undefined
    let left = seconds
    const timer = setInterval(() => {
      left = box.current?.matches(':hover, :focus-within') ? seconds : left - TICK_SECONDS
      if (left > 0) return
      clearInterval(timer)
      latest.current()
    }, TICK_SECONDS * 1000)
    return () => clearInterval(timer)
  }, [box, seconds])
}

const TICK_SECONDS = 0.25
