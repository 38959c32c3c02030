import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

/** The content has only these styles: an app does not have the dashboard's, nor the dashboard an app's. */
export function ShadowBox({ styles, children }: { styles: string; children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot>()
  useLayoutEffect(() => {
    if (!host.current) return
    const shadow = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    shadow.adoptedStyleSheets = [sheet]
    setRoot(shadow)
  }, [styles])
  return (
    <div ref={host}>
      {/* The root belongs to this element for as long as it lives, so the portal never moves. */}
      {root && createPortal(children, root)}
    </div>
  )
}
