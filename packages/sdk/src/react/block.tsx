import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Block as DeliveredBlock, Client } from '../types.ts'
import { useSetup, useSnapshot } from './context.ts'
import { designTypeOf, type DesignBlock, type DesignType } from './designs/reading/design-block.ts'
import { Design } from './designs/design.tsx'
import { readLook } from './designs/reading/read-look.ts'
import { useBlocks } from './use-content.ts'

type BlockProps = {
  /** Another design than the block's own, for example `popup` for `journey_message`. */
  type?: DesignType
  /** The element that a tooltip points at; drawn without a tooltip, too. */
  children?: ReactNode
} & (
  | { /** Block type: the one with the highest priority that may be shown. */ name: string; block?: never }
  | { block: DeliveredBlock; name?: never }
)

/** Draws a delivered block in its design and counts its events: seen once a view, pressed, closed. Draws nothing when there is none. */
export function Block({ name, block, type, children }: BlockProps): ReactNode {
  const named = useBlocks(name === undefined ? {} : { key: name })
  const candidates = block ? [block] : named
  const shown = useShownBlock(candidates, type)
  return shown ? (
    <CountedBlock key={shown.block.instanceId} {...shown}>
      {children}
    </CountedBlock>
  ) : (
    children
  )
}

type Shown = { block: DeliveredBlock; type: DesignType; onClosed: () => void }

/**
 * Which block to show. One with a frequency is chosen once and then stays until it is closed or withdrawn, since
 * being shown is what uses its frequency up; after it was closed no other one follows in the same place.
 */
function useShownBlock(candidates: readonly DeliveredBlock[], type: DesignType | undefined): Shown | undefined {
  const { client } = useSetup()
  const [chosenId, setChosenId] = useState<string>()
  const [closedId, setClosedId] = useState<string>()
  const first = candidates[0]
  const isLimited = first !== undefined && (first.frequency !== undefined || designIn(first, type) === 'popup')
  const delay = first === undefined ? 0 : (readLook(first).delaySeconds ?? 0)
  const ids = candidates.map(({ instanceId }) => instanceId).join(' ')

  const latest = useRef(candidates)
  useEffect(() => {
    latest.current = candidates
  })
  useEffect(() => {
    if (!isLimited || chosenId !== undefined) return undefined
    const choose = () => setChosenId(latest.current.find((candidate) => client.mayShow(candidate))?.instanceId)
    const timer = setTimeout(choose, delay * 1000)
    return () => clearTimeout(timer)
  }, [client, isLimited, chosenId, delay, ids])

  const block = isLimited ? candidates.find(({ instanceId }) => instanceId === chosenId) : first
  if (!block || block.instanceId === closedId) return undefined
  return { block, type: designIn(block, type), onClosed: () => setClosedId(block.instanceId) }
}

function designIn(block: DeliveredBlock, type: DesignType | undefined): DesignType {
  return type ?? designTypeOf(block.designType)
}

function CountedBlock({ block, type, onClosed, children }: Shown & { children: ReactNode }) {
  const { client, assetOrigin, words, onLink } = useSetup()
  const { strings, locale, direction } = useSnapshot()
  const root = useRef<HTMLDivElement>(null)
  useImpression(root, block, type, client)
  return (
    <Design
      ref={root}
      block={block}
      type={type}
      locale={strings?.locale ?? locale ?? 'en'}
      dir={direction}
      {...(assetOrigin !== undefined && { assetOrigin })}
      {...(words && { words })}
      onClick={(link, pressed, event) => {
        client.click(isDelivered(pressed) ? pressed : block, { link: link.href })
        onLink?.(link, event)
        if (type === 'popup') onClosed()
      }}
      onDismiss={(closed) => {
        client.dismiss(isDelivered(closed) ? closed : block)
        if (closed === block) onClosed()
      }}
    >
      {children}
    </Design>
  )
}

/** A block in a collection is delivered whole; only a foreign one has no names to count it by. */
function isDelivered(block: DesignBlock): block is DeliveredBlock {
  return typeof block.key === 'string' && typeof block.instanceId === 'string' && 'version' in block
}

/** Popups and toasts count as seen when they are drawn; other blocks when half of them, or half a screen of them, has been visible. */
function useImpression(root: RefObject<HTMLElement | null>, block: DeliveredBlock, type: DesignType, client: Client): void {
  useEffect(() => {
    const element = root.current
    if (!element) return undefined
    // Without an observer of visibility, as in jsdom, a drawn block counts as seen.
    if (type === 'popup' || type === 'toast' || typeof IntersectionObserver === 'undefined') {
      client.impression(block)
      return undefined
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(isSeen)) return
        client.impression(block)
        observer.disconnect()
      },
      { threshold: [0.1, 0.25, 0.5] },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [root, block, type, client])
}

function isSeen({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean {
  return intersectionRatio >= 0.5 || (rootBounds !== null && intersectionRect.height >= rootBounds.height / 2)
}
