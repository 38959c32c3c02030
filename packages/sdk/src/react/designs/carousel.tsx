import { useId, useRef, useState } from 'react'
import { useSettings } from './design-settings.ts'
import { Icon } from './parts/icon.tsx'
import { Items } from './parts/items.tsx'
import type { Content } from './reading/read-block.ts'
import { SectionHead } from './parts/section-head.tsx'
import { useTrack, type Track } from './parts/use-track.ts'
import { wordOf } from './reading/words.ts'

/** Blocks side by side: swiped with a finger, moved with the arrow keys or the buttons. */
export function Carousel({ content }: { content: Content }) {
  const { isInline } = useSettings()
  const titleId = useId()
  const track = useRef<HTMLUListElement>(null)
  const [isPaused, setPaused] = useState(false)
  const seconds = isInline ? undefined : content.look.autoplaySeconds
  const blocks = content.collections.flatMap((collection) => collection.blocks)
  const moves = useTrack(track, blocks.length, isPaused ? undefined : seconds)
  return (
    <section className="cf-carousel" aria-labelledby={content.title === undefined ? undefined : titleId}>
      <SectionHead content={content} titleId={titleId}>
        <CarouselButtons moves={moves} pause={moves.isMoving || isPaused ? { isPaused, toggle: () => setPaused(!isPaused) } : undefined} />
      </SectionHead>
      {/* A scrolling region has to be reachable by keyboard. */}
      <ul ref={track} className="cf-track" tabIndex={0} aria-labelledby={content.title === undefined ? undefined : titleId}>
        <Items blocks={blocks} />
      </ul>
    </section>
  )
}

type Pause = { isPaused: boolean; toggle: () => void }

function CarouselButtons({ moves, pause }: { moves: Track; pause: Pause | undefined }) {
  const { locale, words } = useSettings()
  if (moves.isAtStart && moves.isAtEnd) return undefined
  return (
    <div className="cf-carousel-buttons">
      {pause && (
        <button
          type="button"
          className="cf-round"
          aria-label={wordOf(pause.isPaused ? 'play' : 'pause', locale, words)}
          onClick={pause.toggle}
        >
          <Icon name={pause.isPaused ? 'play' : 'pause'} />
        </button>
      )}
      <button
        type="button"
        className="cf-round cf-round--arrow cf-round--back"
        aria-label={wordOf('previous', locale, words)}
        disabled={moves.isAtStart}
        onClick={() => moves.step(-1)}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        className="cf-round cf-round--arrow"
        aria-label={wordOf('next', locale, words)}
        disabled={moves.isAtEnd}
        onClick={() => moves.step(1)}
      >
        <Icon name="chevron" />
      </button>
    </div>
  )
}
