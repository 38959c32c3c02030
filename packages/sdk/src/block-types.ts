/** Blocks as an app gets them; public as `types.ts` is. */

/** How often a block may be shown to a person. */
export type Frequency = { per: 'session' | 'day' | 'week' | 'ever'; max: number }

/** One field of a block's schema; never holds a value. */
export type BlockField = {
  tag: string
  /** `text`, `textarea`, `image`, `number`, `select`, `toggle`, `url`, `collection`, or one that is newer than this SDK. */
  type: string
}

/** A block as it is delivered. Read values by tag, never by position. */
export type Block = {
  /** The block type. */
  key: string
  name: string
  /** The screen on which the application shows it. */
  screen: string
  /** The instance delivered; unique. */
  instanceId: string
  /** The segment the instance is aimed at; absent when it is for everyone. */
  segment?: string
  /** Grows when the content changes. */
  version: number
  /** By tag, for example `#title`. Use `textOf`, `numberOf`, `toggleOf` and `blocksOf` to read them safely. */
  values: Readonly<Record<string, unknown>>
  fields: readonly BlockField[]
  visible: true
  /** `banner`, `card`, `tile`, `hero`, `carousel`, `list`, `popup`, `tooltip`, `toast`, `panel`, or a newer one. */
  designType?: string
  /** How often it may be shown; `mayShow` judges by it. */
  frequency?: Frequency
  /** `campaign` or `journey` on an in-app message. */
  source?: string
  campaignId?: string
}
