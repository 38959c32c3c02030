/** A block as a design needs it. Blocks of `/sync` fit, and so does a draft that is not delivered yet. */
export type DesignBlock = {
  /** Block type key. */
  key?: string | undefined
  instanceId?: string | undefined
  designType?: string | undefined
  /** By field tag. A collection holds whole blocks. */
  values: { readonly [tag: string]: unknown }
  fields: readonly { tag: string; type: string }[]
}

export const DESIGN_TYPES = ['banner', 'card', 'tile', 'hero', 'carousel', 'list', 'popup', 'tooltip', 'toast', 'panel'] as const
export type DesignType = (typeof DESIGN_TYPES)[number]

/** A block type without a design type, or with one of a later server, is drawn as a card. */
export function designTypeOf(type: string | undefined): DesignType {
  return DESIGN_TYPES.find((known) => known === type) ?? 'card'
}

/** Whether a member of a collection is a block; anything else in it is left out. */
export function isDesignBlock(value: unknown): value is DesignBlock {
  if (typeof value !== 'object' || value === null) return false
  return 'values' in value && typeof value.values === 'object' && value.values !== null && 'fields' in value && Array.isArray(value.fields)
}
