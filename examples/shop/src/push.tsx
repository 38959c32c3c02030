import type { Client } from '@contentflow/sdk'
import { useClient, useSnapshot } from '@contentflow/sdk/react'
import { PushPrompt } from '@contentflow/sdk/react/push-prompt'
import type { WebPush } from '@contentflow/sdk/web-push'
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import type { ShopConfig } from './load-config.ts'
import { remember, wasSubscribed } from './remembered.ts'
import { useText } from './use-text.ts'

/** Gives the web push of this page; undefined where the workspace has no keys of it. Asked when it is needed, and once. */
type FindPush = () => Promise<WebPush | undefined>
const PushContext = createContext<FindPush | undefined>(undefined)

/** The server gives out the worker of push, which has to come from the shop's own origin. */
const WORKER = '/push/worker.js'

export function PushProvider({ config, children }: { config: ShopConfig; children: ReactNode }) {
  const client = useClient()
  const [find] = useState(() => once(() => findPush(client, config)))
  useEffect(() => {
    // A subscription is looked after at each start: browsers make new ones, and workspaces new keys. When it fails, the next start tries again.
    if (wasSubscribed()) find().catch(() => undefined)
  }, [find])
  return <PushContext value={find}>{children}</PushContext>
}

/** Asks for push messages when `when` is true, unless the visitor said no to being recognised. */
export function PushQuestion({ when }: { when: boolean }) {
  const { consent } = useSnapshot()
  const { own } = useText()
  const find = useContext(PushContext)
  const [push, setPush] = useState<WebPush>()
  const isWanted = when && consent === 'granted'
  useEffect(() => {
    let isGone = false
    // Where the server does not answer there is no question.
    if (isWanted)
      find?.().then(
        (found) => !isGone && setPush(found),
        () => undefined,
      )
    return () => {
      isGone = true
    }
  }, [find, isWanted])
  if (!push) return undefined
  const texts = {
    title: own('pushTitle'),
    body: own('pushBody'),
    accept: own('pushAccept'),
    decline: own('pushDecline'),
    install: own('pushInstall'),
  }
  return <PushPrompt push={push} texts={texts} when={isWanted} onAnswer={(state) => remember('push', state === 'subscribed')} />
}

async function findPush(client: Client, { key, baseUrl }: ShopConfig): Promise<WebPush | undefined> {
  const answer = await fetch(`${baseUrl}/push/web-key`, { headers: { 'X-CF-Key': key }, credentials: 'omit' })
  if (!answer.ok) throw new Error(`The server answered ${answer.status} when asked for the key of web push`)
  const { data } = (await answer.json()) as { data: object | null }
  if (data === null) return undefined
  const { webPush } = await import('@contentflow/sdk/web-push')
  return webPush(client, { key, baseUrl, worker: WORKER })
}

/** What failed is tried again. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () =>
    (asked ??= ask().catch((error: unknown) => {
      asked = undefined
      throw error
    }))
}
