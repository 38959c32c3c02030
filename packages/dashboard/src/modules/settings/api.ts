/** What the settings routes take and answer. */
import type { Key } from '@contentflow/server/wire.ts'
import type { Role } from '../../session.tsx'

export const ROLES = ['admin', 'editor', 'viewer'] as const satisfies Role[]

export type {
  AddedMember,
  CalendarSetting,
  Channel,
  Environment,
  Key,
  DerivedKeys,
  DomainCheck,
  Locale,
  Member,
  NewAuthenticator,
  NewPasskeyOptions,
  OpenSession,
  Passkey,
  RecoveryCodes,
  ResetLink,
  Retention,
  Retirement,
  Sandbox,
  SecondFactors,
  SensorApproval as Approval,
  ShownKey,
  ShownWebhook,
  SignInSettings,
  Usage,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
} from '@contentflow/server/wire.ts'
export type KeyKind = Key['kind']
