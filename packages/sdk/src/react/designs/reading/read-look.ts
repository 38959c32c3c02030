import type { DesignBlock } from './design-block.ts'
import { wordsOf } from './tag-words.ts'

/** How a block is to be drawn. Unknown values keep the default look. */
export type Look = {
  tone: 'calm' | 'bold' | 'urgent'
  /** The colour of text that lies on a picture. */
  textColor: 'light' | 'dark'
  /** Darkening of a picture, 0 to 100 percent. */
  overlay: number
  size: 'half' | 'full' | 'tall'
  layout: 'grid' | 'row' | 'rows'
  /** The columns of a grid on a phone. */
  columns: number
  icon: string | undefined
  /** Whether people may close a banner. Undefined: the block does not say. */
  mayClose: boolean | undefined
  hasArrow: boolean
  showsCounts: boolean
  /** Seconds between two moves of a carousel; undefined: it stands still. */
  autoplaySeconds: number | undefined
  /** Seconds on screen of a toast. */
  durationSeconds: number | undefined
  /** Seconds before a popup opens. */
  delaySeconds: number | undefined
}

export function readLook(block: DesignBlock): Look {
  const read = (...names: string[]) => readNamed(block, names)
  const seconds = numberIn(read('interval_seconds', 'interval', 'autoplay_seconds'), 2, 60)
  return {
    tone: oneOf(read('tone', 'variant', 'emphasis'), ['calm', 'bold', 'urgent']) ?? 'calm',
    textColor: oneOf(read('text_color', 'text_colour'), ['light', 'dark']) ?? 'light',
    overlay: numberIn(read('overlay', 'overlay_percent'), 0, 100) ?? 0,
    size: oneOf(read('size'), ['half', 'full', 'tall']) ?? 'half',
    layout: oneOf(read('layout'), ['grid', 'row']) ?? 'rows',
    columns: Math.round(numberIn(read('columns'), 1, 6) ?? 2),
    icon: textOf(read('icon')),
    mayClose: booleanOf(read('dismissible', 'closable', 'show_close', 'can_close')),
    hasArrow: booleanOf(read('show_arrow', 'arrow')) ?? true,
    showsCounts: booleanOf(read('show_counts', 'show_count')) ?? true,
    autoplaySeconds: read('autoplay', 'auto_play') === true ? (seconds ?? 5) : undefined,
    delaySeconds: numberIn(read('delay_seconds', 'delay'), 0, 600),
    durationSeconds: numberIn(read('duration_seconds', 'duration'), 1, 600),
  }
}

function readNamed({ fields, values }: DesignBlock, names: readonly string[]): unknown {
  const field = fields.find(({ tag }) => names.includes(wordsOf(tag).join('_')))
  return field && Object.hasOwn(values, field.tag) ? values[field.tag] : undefined
}

function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((entry) => entry === value)
}

function numberIn(value: unknown, min: number, max: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
