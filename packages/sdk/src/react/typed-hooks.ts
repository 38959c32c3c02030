import type { ReactNode } from 'react'
import type { AnyEvents, AnyTexts, BlockOf, Filling, MessageKey, TypedClient } from '../typed.ts'
import type { Block as DeliveredBlock } from '../types.ts'
import { Block } from './block.tsx'
import { useClient } from './context.ts'
import type { DesignType } from './designs/reading/design-block.ts'
import { useBlock, useBlocks, useString } from './use-content.ts'

type KeyOf<Blocks> = (keyof Blocks & string) | MessageKey

/** The hooks and `<Block>`, with the keys, tags and placeholders that there are. */
export type TypedHooks<Blocks extends object, Texts extends object = AnyTexts, Events extends object = AnyEvents> = {
  Block(props: { name: KeyOf<Blocks>; type?: DesignType; children?: ReactNode }): ReactNode
  useBlock<Key extends KeyOf<Blocks>>(key: Key): BlockOf<Blocks, Key> | undefined
  useBlocks<Key extends KeyOf<Blocks>>(of: { screen?: string; key: Key }): readonly BlockOf<Blocks, Key>[]
  useBlocks(of?: { screen?: string }): readonly DeliveredBlock[]
  useString<Key extends keyof Texts & string>(key: Key, ...values: Filling<Texts[Key]>): string
  useClient(): TypedClient<Blocks, Texts, Events>
}

/** The same hooks with the types that `contentflow types --lang ts` writes. */
export function typedHooks<Blocks extends object, Texts extends object = AnyTexts, Events extends object = AnyEvents>(): TypedHooks<
  Blocks,
  Texts,
  Events
> {
  return { Block, useBlock, useBlocks, useString, useClient } as unknown as TypedHooks<Blocks, Texts, Events>
}
