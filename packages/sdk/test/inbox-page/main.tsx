/** A page with a bell and the inbox that it opens; the test drives it. */
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '../../src/index.ts'
import { ContentFlowProvider } from '../../src/react/index.ts'
import { Inbox, InboxBell } from '../../src/react/inbox/index.ts'

const query = new URLSearchParams(location.search)
const client = createClient({ key: query.get('key') ?? '', baseUrl: query.get('baseUrl') ?? '', locale: query.get('locale') ?? 'en' })
const followed: string[] = []
Object.assign(globalThis, { client, followed })

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <h1>App</h1>
      <InboxBell isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen && <Inbox />}
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
