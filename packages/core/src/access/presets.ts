/** Roles to start from; what a preset limits is filled in by whoever makes the role. */
import type { LimitName } from './allows.ts'
import type { Permission } from './permissions.ts'

const SEEING: Permission[] = ['content:read', 'media:read', 'strings:read', 'types:read']

/** `limitBy`: what is usually limited. */
type RolePreset = { id: string; permissions: readonly Permission[]; limitBy: readonly LimitName[] }

export const ROLE_PRESETS: readonly RolePreset[] = [
  { id: 'translator', permissions: [...SEEING, 'strings:export', 'strings:publish', 'strings:write'], limitBy: ['locales'] },
  {
    id: 'screen_editor',
    permissions: [...SEEING, 'analytics:read', 'content:publish', 'content:write', 'media:write', 'segments:read'],
    limitBy: ['screens'],
  },
  {
    id: 'campaign_manager',
    permissions: [
      ...SEEING,
      'analytics:read',
      'campaigns:launch',
      'campaigns:read',
      'campaigns:send',
      'campaigns:write',
      'channels:read',
      'journeys:activate',
      'journeys:read',
      'journeys:send',
      'journeys:write',
      'media:write',
      'messages:read',
      'messages:write',
      'segments:read',
      'segments:write',
      'settings:read',
    ],
    limitBy: [],
  },
  {
    id: 'analyst',
    permissions: [
      ...SEEING,
      'analytics:export',
      'analytics:read',
      'analytics:write',
      'campaigns:read',
      'journeys:read',
      'segments:read',
      'settings:read',
    ],
    limitBy: [],
  },
  { id: 'auditor', permissions: ['audit:read'], limitBy: [] },
  {
    id: 'developer',
    permissions: [
      ...SEEING,
      'analytics:read',
      'analytics:write',
      'code:read',
      'code:write',
      'content:write',
      'keys:manage',
      'keys:read',
      'settings:read',
      'strings:manage',
      'strings:publish',
      'strings:write',
      'types:write',
      'webhooks:read',
    ],
    limitBy: ['environments'],
  },
]
