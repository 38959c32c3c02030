/** What an application gives to `createClient`; public as `types.ts` is. */
import type { Block } from './block-types.ts'

/** Texts or promises of texts by key, as `localStorage` and React Native's AsyncStorage have them. */
export type Storage = {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
}

/** Calls `run` after some milliseconds, unless the function it returns is called first. */
export type Schedule = (run: () => void, milliseconds: number) => () => void

/**
 * What a server of yours asked before it drew the page: `data` of `GET /sync` and of `GET /strings`, as they were answered.
 * It is JSON, so it can stand in the page. `bootstrap` of `@contentflow/sdk/node` makes one.
 */
export type Bootstrap = { sync?: Readonly<Record<string, unknown>>; strings?: Readonly<Record<string, unknown>> }

/** What is shown while nothing was ever answered: an app that starts offline for the first time shows these. */
export type Defaults = {
  /** Texts by key, also those that the catalog of the server does not have yet. */
  strings?: Readonly<Record<string, string>>
  /** The language of these texts, by which their numbers, dates and plurals are written. */
  locale?: string
  /** Blocks as `GET /sync` answers them. The first answer replaces all of them. */
  blocks?: readonly Block[]
}

/** The options of a client. Only the first two are required. */
export type ClientOptions = {
  /** A publishable key. Never put a secret, write or read key into an application. */
  key: string
  /** The root of the client API; ends in `/sdk/v1`. */
  baseUrl: string
  /** The language to ask for, for example `ar` or `ar-SA`. */
  locale?: string
  /** Only strings of this namespace. */
  namespace?: string
  /** Other blocks are left out of everything. All are taken when absent. */
  blockKeys?: readonly string[]
  /** Use an id of your own in place of a random one that is kept in storage. */
  deviceId?: string
  /** localStorage where there is one, otherwise memory. */
  storage?: Storage
  fetch?: typeof globalThis.fetch
  /** Milliseconds since 1970. */
  now?: () => number
  /** A random number from 0 to below 1; spreads retries. */
  random?: () => number
  /** Makes ids with at least 122 random bits. Needed where there is no `crypto`, as in React Native. */
  newId?: () => string
  schedule?: Schedule
  /** Sent with events, for example `web`, `ios`, `android`. */
  platform?: string
  /** The version of the application; sent when campaigns are asked for. */
  appVersion?: string
  /**
   * The person's own token, from your server: who asks is then proven. Asked for whenever the person is named, and once
   * again when it had expired. Rejecting counts as no connection: it is repeated later.
   */
  userToken?: (userId: string) => Promise<string>
  /** false never opens a stream; changes are then found by polling alone. */
  stream?: boolean
  /** What a server of yours asked for this page: shown from the first drawing on, before any request. */
  bootstrap?: Bootstrap
  /** What is shown while nothing was ever answered. */
  defaults?: Defaults
  /** true tells in the console what the client does; loaded only then. */
  debug?: boolean
}
