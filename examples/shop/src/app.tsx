import type { Client } from '@contentflow/sdk'
import { Block, ContentFlowProvider, useClient, useSnapshot, type Link } from '@contentflow/sdk/react'
import { useEffect, useLayoutEffect, useState, type MouseEvent } from 'react'
import { BagProvider } from './bag.tsx'
import { DeviceFacts } from './device-facts.tsx'
import { ConsentDialog } from './dialogs/consent-dialog.tsx'
import type { OpenDialog } from './dialogs/open-dialog.ts'
import { SignInDialog } from './dialogs/sign-in-dialog.tsx'
import { Header } from './header.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { BagPage } from './pages/bag-page.tsx'
import { CategoriesPage } from './pages/categories-page.tsx'
import { ElsewherePage } from './pages/elsewhere-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { ProductPage } from './pages/product-page.tsx'
import { ProductsPage } from './pages/products-page.tsx'
import { StoresPage } from './pages/stores-page.tsx'
import { identityOf } from './identity.ts'
import type { ShopConfig } from './load-config.ts'
import { PushProvider } from './push.tsx'
import { rememberedPerson } from './remembered.ts'
import { hashOf, useRoute, type Route } from './route.ts'
import { Tabs } from './tabs.tsx'
import { useText } from './use-text.ts'

export function App({ client, config }: { client: Client; config: ShopConfig }) {
  return (
    <ContentFlowProvider client={client} assetOrigin={new URL(config.baseUrl).origin} onLink={followInside}>
      <BagProvider>
        <PushProvider config={config}>
          <Shop />
        </PushProvider>
      </BagProvider>
    </ContentFlowProvider>
  )
}

function followInside(link: Link, event: MouseEvent): void {
  const hash = hashOf(link)
  if (hash === undefined) return
  event.preventDefault()
  location.hash = hash
}

function Shop() {
  const client = useClient()
  const { status, consent, direction, blocks } = useSnapshot()
  const { locale, own } = useText()
  const route = useRoute()
  const [dialog, setDialog] = useState<OpenDialog>()
  useOnceKnown(client)

  // Before anything is painted: a page that is drawn the wrong way round first is seen to turn.
  useLayoutEffect(() => {
    document.documentElement.lang = locale
    document.documentElement.dir = direction
  }, [locale, direction])
  useEffect(() => {
    client.setScreen(route.page)
    scrollTo(0, 0)
  }, [client, route.page])

  const isAsked = consent !== 'unknown'
  // Open until it is closed: the answer is known before all of it is saved.
  if (dialog === undefined && status === 'ready' && !isAsked) setDialog('consent')
  /** Of a dialog that ends late, whatever was opened since stays. */
  const close = (ended: OpenDialog) => setDialog((open) => (open === ended ? undefined : open))
  if (status === 'rejected') return <Empty title={own('rejectedTitle')} body={own('rejectedBody')} />
  return (
    <>
      <Header route={route} />
      <main className="page">
        {blocks.length === 0 && route.page !== 'account' ? <Nothing /> : <Page route={route} onOpen={setDialog} />}
      </main>
      <DeviceFacts />
      <Tabs route={route} className="tab-bar" />
      {dialog === 'consent' && <ConsentDialog onClose={() => close('consent')} mayLeave={isAsked} />}
      {dialog === 'sign-in' && <SignInDialog onClose={() => close('sign-in')} />}
      {dialog === undefined && isAsked && <Block name="journey_message" type="popup" />}
      {dialog === undefined && isAsked && route.page === 'home' && <Block name="welcome_popup" />}
    </>
  )
}

/** A device that knows its person says so at every start, since the server forgets the link after a day. */
function useOnceKnown(client: Client): void {
  useEffect(() => {
    const person = rememberedPerson()
    // A refusal reaches the page through the client's `error` event and its snapshot.
    if (person && client.snapshot().consent !== 'denied') client.identify(identityOf(person)).catch(() => undefined)
  }, [client])
}

function Page({ route, onOpen }: { route: Route; onOpen: (dialog: OpenDialog) => void }) {
  switch (route.page) {
    case 'home':
      return <HomePage />
    case 'categories':
      return <CategoriesPage />
    case 'products':
      return <ProductsPage path={route.path} />
    case 'product':
      return <ProductPage key={route.slug} slug={route.slug} />
    case 'bag':
      return <BagPage />
    case 'stores':
      return <StoresPage />
    case 'account':
      return <AccountPage onOpen={onOpen} />
    default:
      return <ElsewherePage href={route.href} />
  }
}

function Nothing() {
  const client = useClient()
  const { status } = useSnapshot()
  const { own } = useText()
  if (status === 'loading' || status === 'stopped') return <div className="skeleton" aria-busy="true" aria-label={own('updates.loading')} />
  const isOffline = status === 'offline'
  return (
    <Empty title={own(isOffline ? 'closedTitle' : 'emptyTitle')} body={own(isOffline ? 'closedBody' : 'emptyBody')}>
      {/* A failure shows as the same state again. */}
      <button type="button" className="button" onClick={() => void client.sync().catch(() => undefined)}>
        {own('retry')}
      </button>
    </Empty>
  )
}

function Empty({ title, body, children }: { title: string; body: string; children?: React.ReactNode }) {
  return (
    <div className="state">
      <h1>{title}</h1>
      <p>{body}</p>
      {children}
    </div>
  )
}
