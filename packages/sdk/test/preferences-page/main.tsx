/** A page of an app on which people choose; the test drives it. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from '../../src/index.ts'
import { ContentFlowProvider } from '../../src/react/index.ts'
import { PreferenceCentre } from '../../src/react/preferences/index.ts'

const query = new URLSearchParams(location.search)
const client = createClient({ key: query.get('key') ?? '', baseUrl: query.get('baseUrl') ?? '', locale: query.get('locale') ?? 'en' })
Object.assign(globalThis, { client })

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <ContentFlowProvider client={client}>
        <h1>App</h1>
        <PreferenceCentre />
      </ContentFlowProvider>
    </StrictMode>,
  )
