import { createContext, useContext, useSyncExternalStore, type MouseEvent } from 'react'
import type { Client, Snapshot } from '../types.ts'
import type { Link } from './designs/reading/read-link.ts'
import type { Words } from './designs/reading/words.ts'

/** Settings that the blocks of an app share. */
export type Setup = {
  client: Client
  /** The origin of pictures whose addresses are paths: that of the client's `baseUrl`. By default the page's own. */
  assetOrigin?: string | undefined
  /** Replaces the designs' built-in words. */
  words?: Words | undefined
  /** A link of any block was pressed, and counted. Prevent the event's default to go there yourself. */
  onLink?: ((link: Link, event: MouseEvent<HTMLAnchorElement>) => void) | undefined
}

export const ContentFlowContext = createContext<Setup | undefined>(undefined)

export function useSetup(): Setup {
  const setup = useContext(ContentFlowContext)
  if (!setup) throw new Error('Put <ContentFlowProvider> around what uses ContentFlow')
  return setup
}

/** The client of the nearest provider. */
export function useClient(): Client {
  return useSetup().client
}

/** Everything the client knows now; the component is drawn again when it is another. */
export function useSnapshot(): Snapshot {
  const client = useClient()
  return useSyncExternalStore(client.subscribe, client.snapshot, client.snapshot)
}
