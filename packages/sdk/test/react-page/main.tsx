/** A page with one block of each way of being used; the test drives it and looks at what the server counted. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '../../src/index.ts'
import { Block, Campaigns, ContentFlowProvider, useBlock, useBlocks, useCampaigns, useSnapshot, useString } from '../../src/react/index.ts'

const query = new URLSearchParams(location.search)
const client = createClient({ key: query.get('key') ?? '', baseUrl: query.get('baseUrl') ?? '' })
const followed: string[] = []
Object.assign(globalThis, { client, followed })

function Page() {
  const { status, consent, blocks } = useSnapshot()
  const promo = useBlock('promo')
  const onHome = useBlocks({ screen: 'home' })
  const greeting = useString('greeting', { name: 'Sara' })
  const { campaigns, isLoading, error } = useCampaigns('home_top')
  return (
    <>
      <p id="facts">
        {JSON.stringify({ status, consent, blocks: blocks.length, promo: promo?.values['#title'], onHome: onHome.length, greeting })}
      </p>
      <p id="campaigns">{JSON.stringify({ campaigns, isLoading, error: String(error) })}</p>
      <Campaigns placement="home_top" />
      <div style={{ blockSize: '150vh' }} />
      <Block name="promo" />
      <Block name="shelf" />
      <Block name="nothing_of_this_name">the anchor stays</Block>
      {consent === 'granted' && <Block name="offer" />}
      {consent === 'granted' && <Block name="journey_message" type="popup" />}
    </>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ContentFlowProvider
        client={client}
        onLink={(link, event) => {
          event.preventDefault()
          followed.push(link.href)
        }}
      >
        <Page />
      </ContentFlowProvider>
    </StrictMode>,
  )
}
