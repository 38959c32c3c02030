import { designTypeOf, type DesignBlock, type DesignType } from '../reading/design-block.ts'
import { SettingsContext, useInside } from '../design-settings.ts'

/** Designs that would cover the page or float are drawn as a card inside another block. */
const FLOATING: ReadonlySet<DesignType> = new Set(['popup', 'tooltip', 'toast'])

function typeInside(block: DesignBlock): DesignType {
  const type = designTypeOf(block.designType)
  return FLOATING.has(type) ? 'card' : type
}

/** Blocks of a collection, each in its own design. An instance may be in two collections of one block, so the place is part of the key. */
export function Items({ blocks, hidesCounts = false }: { blocks: readonly DesignBlock[]; hidesCounts?: boolean }) {
  const settings = useInside({ hidesCounts })
  return (
    <SettingsContext.Provider value={settings}>
      {blocks.map((block, index) => (
        <li key={`${block.instanceId ?? ''}:${index}`} className={`cf-item cf-item--${typeInside(block)}`}>
          {settings.drawBlock(block, typeInside(block))}
        </li>
      ))}
    </SettingsContext.Provider>
  )
}
