import { Block, useBlocks } from '@contentflow/sdk/react'
import { useText } from '../use-text.ts'

export function CategoriesPage() {
  const tiles = useBlocks({ key: 'category_tile' })
  const { t } = useText()
  return (
    <>
      <h1>{t('app.tab.categories')}</h1>
      <ul className="tile-grid">
        {tiles.map((tile) => (
          <li key={tile.instanceId}>
            <Block block={tile} />
          </li>
        ))}
      </ul>
    </>
  )
}
