import { Block, useBlocks } from '@contentflow/sdk/react'
import { useText } from '../use-text.ts'

export function StoresPage() {
  const stores = useBlocks({ key: 'store_card' })
  const { t } = useText()
  return (
    <>
      <h1>{t('app.tab.stores')}</h1>
      {stores.map((store) => (
        <Block key={store.instanceId} block={store} />
      ))}
    </>
  )
}
