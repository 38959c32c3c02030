import { Block, Campaigns, useBlocks, useSnapshot } from '@contentflow/sdk/react'
import { rememberedPerson } from '../remembered.ts'
import { useText } from '../use-text.ts'

/** The lists and carousels alternate: first a way into the shop, then something to buy. */
export function HomePage() {
  const lists = useBlocks({ key: 'category_list' })
  const carousels = useBlocks({ key: 'product_carousel' })
  const rows = Array.from({ length: Math.max(lists.length, carousels.length) }, (_, index) => [lists[index], carousels[index]])
  return (
    <>
      <Greeting />
      <Campaigns placement="home_top" />
      <Block name="ramadan_hero" />
      <Block name="home_hero" />
      <Block name="promo_banner" />
      {rows.flat().map((block) => block && <Block key={block.instanceId} block={block} />)}
    </>
  )
}

function Greeting() {
  const { userId } = useSnapshot()
  const { t } = useText()
  const name = rememberedPerson()?.name
  if (userId === undefined || !name) return undefined
  return <h1 className="greeting">{t(new Date().getHours() < 12 ? 'home.greeting.morning' : 'home.greeting.evening', { name })}</h1>
}
