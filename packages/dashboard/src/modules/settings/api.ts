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
  OpenSession,
  ResetLink,
  Retention,
  Retirement,
  Sandbox,
  SensorApproval as Approval,
  ShownKey,
  ShownWebhook,
  Usage,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
} from '@contentflow/server/wire.ts'
export type KeyKind = Key['kind']
