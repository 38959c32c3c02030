/** A client that knows the block types, texts and events of a workspace, from the types that `contentflow types` writes. */
import type { Block, Client, MessageValues, TrackedEvent } from './types.ts'

/** Texts without generated types: any key, any values. */
export type AnyTexts = Readonly<Record<string, MessageValues | undefined>>

/** Events without generated types: any type, any properties. */
export type AnyEvents = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** Messages of campaigns and journeys, which no workspace declares. */
export type MessageKey = 'journey_message'

/** A block of the type `Key` of `Blocks`; among several, `key` tells which type it is. */
export type BlockOf<Blocks, Key> = Key extends keyof Blocks
  ? Omit<Block, 'key' | 'values'> & { key: Key; values: Readonly<Blocks[Key]> }
  : Block

/** The tags of a block: any text without generated types. */
export type TagOf<B extends Block> = keyof B['values'] & string

/** The arguments of a text after its key: none, some, or, without generated types, either. */
export type Filling<Values> = [Values] extends [undefined]
  ? []
  : undefined extends Values
    ? [values?: Exclude<Values, undefined>]
    : [values: Values]

/** The arguments of an event after its type: its properties, which may be left out where none is required. */
type Tracking<Properties> = [Properties] extends [undefined]
  ? []
  : undefined extends Properties
    ? [properties?: Exclude<Properties, undefined>]
    : Partial<Properties> extends Properties
      ? [properties?: Properties]
      : [properties: Properties]

/** `Client` with the keys, tags and placeholders that there are. It can be used wherever a `Client` is wanted. */
export type TypedClient<Blocks extends object, Texts extends object = AnyTexts, Events extends object = AnyEvents> = Omit<
  Client,
  'block' | 'blocks' | 't' | 'track'
> & {
  /** The first delivered block of this type, or undefined. */
  block<Key extends (keyof Blocks & string) | MessageKey>(key: Key): BlockOf<Blocks, Key> | undefined
  /** All delivered blocks. */
  blocks(): readonly Block[]
  /** The blocks of one type, highest priority first. */
  blocks<Key extends (keyof Blocks & string) | MessageKey>(key: Key): readonly BlockOf<Blocks, Key>[]
  /** A text, filled in for the locale delivered. The key itself when there is no such text. */
  t<Key extends keyof Texts & string>(key: Key, ...values: Filling<Texts[Key]>): string
  /** Queues an event as it is sent, of any type: those of blocks too. */
  track(event: TrackedEvent): void
  /** Queues an event of a declared type. */
  track<Type extends keyof Events & string>(type: Type, ...properties: Tracking<Events[Type]>): void
}
