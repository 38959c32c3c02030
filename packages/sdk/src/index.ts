export { createClient } from './client.ts'
export { formatMessage } from './message.ts'
export { blocksOf, numberOf, textOf, toggleOf } from './values.ts'
export { VERSION } from './version.ts'
export type { Campaign, CampaignContext, ClientRequest } from './campaign-types.ts'
export type { BlockOf, TypedClient } from './typed.ts'
export type {
  AnalyticsConsent,
  Block,
  BlockField,
  Bootstrap,
  Channels,
  Client,
  ClientEvents,
  ClientOptions,
  ClientStatus,
  Config,
  ConsentGiven,
  ConsentPreset,
  ContentFlowError,
  Defaults,
  Environment,
  Features,
  Frequency,
  FullConsent,
  GeofenceCrossing,
  Identified,
  Identity,
  IndustryCategory,
  Locale,
  LocationPoint,
  MessageValues,
  PushPreferences,
  PushToken,
  Schedule,
  Sent,
  Snapshot,
  Storage,
  StringsCatalog,
  TrackedEvent,
} from './types.ts'
