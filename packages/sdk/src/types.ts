/** The public types. They are the product: every member says what it means, and changes only by addition. */
import type { Block, Frequency } from './block-types.ts'
import type { Campaign, CampaignContext, ClientRequest } from './campaign-types.ts'

export type { Block, BlockField, Frequency } from './block-types.ts'
export type { Bootstrap, ClientOptions, Defaults, Schedule, Storage } from './option-types.ts'

/** Which of a workspace's two worlds a key reads. */
export type Environment = 'live' | 'test'

/** The switches of a workspace. One that is missing counts as on. */
export type Features = Readonly<Partial<Record<string, boolean>>>

/** The settings that the server sends to clients. */
export type Config = {
  features: Features
  pollIntervalSeconds: number
  popupDefaultFrequency: Frequency
}

/** Approved texts of one locale. */
export type StringsCatalog = {
  /** The locale served, which may be a parent of the one asked for or the source language. */
  locale: string
  strings: Readonly<Record<string, string>>
  /** Keys enabled as sensors: the only ones `stringSeen` and `stringUsed` report. */
  smartKeys: readonly string[]
  /** Keys served as source text because their translation is not approved. */
  withheldKeys: readonly string[]
  version: string
}

/** A language of the workspace. */
export type Locale = {
  code: string
  /** The name in English. */
  name: string
  /** The name in the language itself. */
  native: string
  rtl: boolean
  /** Percent of the texts that are approved. */
  coverage: number
}

/** The channels that the person allows; a flag left out is not changed, one that was never given means no. */
export type Channels = Partial<Record<'push' | 'sms' | 'whatsapp' | 'email' | 'inApp' | 'marketing' | 'locationTracking', boolean>>

/** The decision about analytics of this installation. */
export type AnalyticsConsent = 'granted' | 'denied' | 'unknown'

/**
 * `stopped`: not started, or stopped. `loading`: nothing has been answered since the start. `ready`: the last
 * answer was good. `offline`: the last attempt failed; what was known stays. `rejected`: the key is refused for good.
 */
export type ClientStatus = 'stopped' | 'loading' | 'ready' | 'offline' | 'rejected'

/** Everything there is to show, at one moment. Immutable: as long as nothing changes it is the same object. */
export type Snapshot = {
  status: ClientStatus
  /**
   * There is something to draw: blocks and texts came with the page, were stored or answered. Also true when an attempt failed,
   * so that nobody waits without end; then the defaults stand in.
   */
  isReady: boolean
  /** Highest priority first; from storage until the server has answered, and the defaults where nothing is known. */
  blocks: readonly Block[]
  /** undefined until the first answer ever. */
  config: Config | undefined
  strings: StringsCatalog | undefined
  /** The locale that was asked for; undefined leaves it to the server. */
  locale: string | undefined
  /** Direction of the language that was delivered; `locales` has what a workspace says of one of its own. */
  direction: 'ltr' | 'rtl'
  environment: Environment | undefined
  /** undefined until the storage has been read. */
  deviceId: string | undefined
  /** The person this installation is linked to. */
  userId: string | undefined
  consent: AnalyticsConsent
  /** The flags as the server last confirmed them. */
  channels: Channels
}

/** The person who uses the app, and their own choice about analytics. */
export type Identity = {
  /** Yours. Left out: the link that exists stays. */
  userId?: string
  /** Without consent nothing about the person is stored, and only content for everyone is delivered. */
  consent: boolean
  /** A non-empty object replaces all stored traits; left out or empty they stay. */
  traits?: Readonly<Record<string, unknown>>
  name?: string
  email?: string
}

/**
 * The outcome of a write. `done`: the server has it. `pending`: it could not be sent yet, is kept, and is repeated until the
 * server has it. A final refusal rejects the promise with a `ContentFlowError`.
 */
export type Sent<Data> = { status: 'done'; data: Data } | { status: 'pending' }

/** The answer to `identify`. */
export type Identified = {
  consent: boolean
  /** `identified` when the installation is linked to a user. */
  results: { identity: { status: 'identified' | 'anonymous'; userId?: string | null } }
  segments?: readonly string[]
}

/** The answer to a change of consent: all flags that are decided. */
export type ConsentGiven = { channels: Channels; personalOptOut?: boolean }

/** Answers to a preset, with the channel flags. */
export type FullConsent = {
  channels: Channels
  preset?: string
  topics?: Readonly<Record<string, boolean>>
  requiredConsents?: Readonly<Record<string, boolean>>
  /** Under the data-protection law; blocks every outbound channel. */
  personalOptOut?: boolean
}

/** The questions that an application of one trade and country usually asks. */
export type ConsentPreset = {
  preset: string
  requiredConsents: readonly { id: string; required: boolean; label: { en: string; ar: string } }[]
  topics: readonly { id: string; label: { en: string; ar: string }; channels: readonly string[] }[]
  legalFramework: { name: string; country: string; version: string }
}

/** Something that happened. `sign_up` and `sign_in` have methods of their own. */
export type TrackedEvent = {
  /** `impression`, `cta_click`, `dismiss`, `purchase`, or any of your own. */
  type: string
  blockKey?: string
  instanceId?: string
  campaignId?: string
  /** The current one when left out; see `setScreen`. */
  screen?: string
  stringKey?: string
  value?: number
  currency?: string
  properties?: Readonly<Record<string, unknown>>
}

/** A push token of this installation. */
export type PushToken = {
  /** A web subscription is sent as its JSON text. */
  token: string
  platform: 'ios' | 'android' | 'web'
  provider?: 'apns' | 'fcm' | 'hms' | 'web_push'
  /** Required for HMS. */
  hmsConfig?: { appId: string }
}

/** A member left out stays as it is; null clears it. */
export type PushPreferences = {
  /** Times of day such as `22:30`. */
  quietHours?: { start: string; end: string; timezone?: string } | null
  respectPrayerTimes?: boolean | null
  urgentOnly?: boolean | null
  digest?: 'off' | 'daily' | 'weekly' | null
}

/** A position of the device. */
export type LocationPoint = {
  latitude: number
  longitude: number
  /** Metres. */
  accuracy?: number
  altitude?: number
  /** Metres a second. */
  speed?: number
  /** ISO 8601 or milliseconds; now when left out. */
  timestamp?: string | number
}

/** A crossing of a geofence that the device noticed itself. */
export type GeofenceCrossing = { fenceId: string; type: 'enter' | 'exit' | 'dwell'; timestamp?: string | number }

/** The trades that industry data is kept for. */
export type IndustryCategory = 'banking' | 'insurance' | 'healthcare' | 'travel' | 'retail' | 'food_delivery' | 'fintech'

/** A value in a text: `t('greeting', { name: 'Sara' })`. Dates are a Date or milliseconds. */
export type MessageValues = Readonly<Record<string, string | number | boolean | Date | null | undefined>>

/** The events of a client. */
export type ClientEvents = {
  /** The snapshot is another one. */
  change: Snapshot
  /** Something was refused, or could not be kept. */
  error: ContentFlowError
  /** The server cannot be reached; what was known stays. */
  offline: ContentFlowError
  /** The server answers again. */
  online: undefined
  /** The key is refused for good; nothing is sent any more. */
  rejected: ContentFlowError
  /** The identity of the caller was not proven; `code` and `reason` say what is missing. Ask the person to sign in again. */
  identity_refused: ContentFlowError
  /** Events the server did not count, by reason. */
  dropped: Readonly<Record<string, number>>
  /** The server was asked for blocks and answered, be it that nothing changed: what was asked besides may be another now. */
  synced: undefined
  /** For tools such as the panel for developers: what the machine did. Its shape may change with every version. */
  step: unknown
}

/** A refusal or failure. Branch on `code`, never on the message. */
export type ContentFlowError = Error & {
  name: 'ContentFlowError'
  /** The HTTP status; 0 when there was no answer. */
  status: number
  /**
   * The server's code, or one of ours. `NETWORK`: no answer. `BAD_ANSWER`: one that is not the service's. `STOPPED`: the
   * client does not run. `RETRY_LATER`: the server wishes for no request yet. `SUPERSEDED`: the person changed
   * meanwhile. `QUEUE_FULL`: too much waits to be sent. `STORAGE`: something could not be stored.
   */
  code: string | undefined
  /** Least wait before the next attempt, when the server named one. */
  retryAfterSeconds: number | undefined
  /** Why a token was refused: `expired`, `signature`, `audience`, `subject`, `algorithm`, `unknown_key`, `too_long`, `device`. */
  reason?: unknown
}

/** A client of one workspace. Make one with `createClient`. */
export type Client = {
  /** Shows what storage holds, then asks the server and keeps asking. Does nothing when started already. */
  start(): void
  /** Ends the stream, the timers and running requests. Unsent writes stay in storage. */
  stop(): void
  /** Everything there is to show; fit for `useSyncExternalStore`. */
  snapshot(): Snapshot
  /** Calls `listener` whenever the snapshot is another one; fit for `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  /** Calls `listener` on what it names; returns how to stop that. */
  on<Name extends keyof ClientEvents>(name: Name, listener: (value: ClientEvents[Name]) => void): () => void

  /** The first delivered block of this type, or undefined. */
  block(key: string): Block | undefined
  /** All delivered blocks, or those of one type, highest priority first. */
  blocks(key?: string): readonly Block[]
  /** Asks for blocks and strings now. Resolves when they are answered; rejects when they could not be. */
  sync(): Promise<void>
  /** The catalog; undefined until the first answer ever. */
  strings(): StringsCatalog | undefined
  /**
   * A text in ICU MessageFormat, filled in for the locale delivered: that of the defaults, and then the key itself, when there is
   * no such text. `of` takes it from an earlier snapshot, such as the one that a server drew.
   */
  t(key: string, values?: MessageValues, of?: Snapshot): string
  /** Asks for everything in another language. The current content stays until the answer arrives. */
  setLocale(locale: string | undefined): void
  /** The languages of the workspace. */
  locales(): Promise<readonly Locale[]>
  /** Campaigns for a placement, highest priority first. An empty list when the feature is off. */
  campaigns(placement?: string, context?: CampaignContext): Promise<readonly Campaign[]>

  /** Links this installation to a person, with their choice about analytics. Call it on every start. */
  identify(identity: Identity): Promise<Sent<Identified>>
  /** Takes the person off this installation. */
  logout(): Promise<Sent<unknown>>
  /** Erases the person on the server, then everything here. A device id is made anew. */
  erase(): Promise<Sent<unknown>>
  /** Reports a sign-up; identify first. */
  signedUp(properties?: Readonly<Record<string, unknown>>): Promise<Sent<{ accepted: boolean; message?: string }>>
  /** Reports a sign-in; identify first. */
  signedIn(properties?: Readonly<Record<string, unknown>>): Promise<Sent<{ accepted: boolean; message?: string }>>
  /** Stores industry data of the person identified. It replaces the category and cannot be read back. */
  setIndustryData(category: IndustryCategory, data: Readonly<Record<string, unknown>>): Promise<Sent<unknown>>

  /** Changes what may be sent to the person. */
  setChannels(channels: Channels): Promise<Sent<ConsentGiven>>
  /** Sends all channels together with the answers to a preset. */
  setFullConsent(consent: FullConsent): Promise<Sent<ConsentGiven>>
  /** The usual questions of an application, for example `banking_ksa`. */
  consentPreset(name: string): Promise<ConsentPreset>

  /** Queues an event. Needs consent: before a decision events wait, after a denial they are dropped. */
  track(event: TrackedEvent): void
  /** The same of an event of your own with its properties alone. */
  track(type: string, properties?: TrackedEvent['properties']): void
  /** The screen of further events. A new view begins: impressions count anew. */
  setScreen(screen: string): void
  /**
   * The block was seen. Counted once per view; true when it was counted. A view lasts until the next
   * `setScreen`, or is what you name, for example the id of a mounted component.
   */
  impression(block: Block, view?: string): boolean
  /** The block's button was used. An in-app message is over after that. */
  click(block: Block, properties?: Readonly<Record<string, unknown>>): void
  /** The block was closed. An in-app message is over after that. */
  dismiss(block: Block): void
  /** A purchase or other goal that the block led to. */
  conversion(
    block: Block | undefined,
    details?: { value?: number; currency?: string; properties?: Readonly<Record<string, unknown>> },
  ): void
  /** Whether the block's frequency allows to show it now; popups without one once a day. Ask before showing, not while it is shown. */
  mayShow(block: Block): boolean
  /** A text was seen; reported only of sensors. */
  stringSeen(key: string): void
  /** A text was used; reported only of sensors. */
  stringUsed(key: string): void
  /** Sends what waits now in place of in a moment. */
  flush(): void
  /** How many events and other writes wait to be sent. */
  pending(): number

  /** Registers the push token of this installation. Grants no consent. */
  registerPush(token: PushToken): Promise<Sent<{ registered: true; linkage: { status: 'identified' | 'anonymous' } }>>
  /** Removes the push token. Changes no consent. */
  unregisterPush(): Promise<Sent<{ removed: boolean }>>
  /** Changes when and how the person wishes to be disturbed. */
  setPushPreferences(preferences: PushPreferences): Promise<Sent<{ stored: boolean; preferences?: PushPreferences }>>
  /** Topics of this installation. */
  pushTopics(): Promise<readonly string[]>
  subscribeTopic(topic: string): Promise<readonly string[]>
  unsubscribeTopic(topic: string): Promise<readonly string[]>

  /** Positions, oldest first, and crossings; at most 100 of each. Rejects with `LOCATION_CONSENT_REQUIRED` without consent. */
  trackLocation(
    points: readonly LocationPoint[],
    crossings?: readonly GeofenceCrossing[],
  ): Promise<Sent<{ accepted: number; dropped: number }>>
  /** The location of this device's network address, as far as known. */
  locationOfAddress(): Promise<{ country: string | null; region: string | null; city: string | null }>

  /** Asks a route that has no method here, of this installation, or of none while a person leaves; nothing is kept or repeated. */
  request(call: ClientRequest): Promise<Readonly<Record<string, unknown>>>
}
