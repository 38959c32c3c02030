/** A client that knows the block types and texts of a workspace, from the types that `contentflow types` writes. */
import type { Block, Client, MessageValues } from './types.ts'

/** Texts without generated types: any key, any values. */
export type AnyTexts = Readonly<Record<string, MessageValues | undefined>>

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

/** `Client` with the keys, tags and placeholders that there are. It can be used wherever a `Client` is wanted. */
export type TypedClient<Blocks extends object, Texts extends object = AnyTexts> = Omit<Client, 'block' | 'blocks' | 't'> & {
  /** The first delivered block of this type, or undefined. */
  block<Key extends (keyof Blocks & string) | MessageKey>(key: Key): BlockOf<Blocks, Key> | undefined
  /** All delivered blocks. */
  blocks(): readonly Block[]
  /** The blocks of one type, highest priority first. */
  blocks<Key extends (keyof Blocks & string) | MessageKey>(key: Key): readonly BlockOf<Blocks, Key>[]
  /** A text, filled in for the locale delivered. The key itself when there is no such text. */
  t<Key extends keyof Texts & string>(key: Key, ...values: Filling<Texts[Key]>): string
}
