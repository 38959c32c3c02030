/** The parts of an action's name (`updateSegment`) that are said in words: what was done, and to which kind of thing. */

const VERBS = [
  'abandon',
  'add',
  'apply',
  'approve',
  'archive',
  'ask',
  'cancel',
  'change',
  'check',
  'close',
  'commit',
  'confirm',
  'connect',
  'create',
  'decide',
  'declare',
  'delete',
  'disconnect',
  'draft',
  'duplicate',
  'end',
  'enroll',
  'erase',
  'export',
  'finalize',
  'get',
  'import',
  'join',
  'link',
  'list',
  'load',
  'log',
  'make',
  'match',
  'open',
  'order',
  'ping',
  'publish',
  'read',
  'recall',
  'record',
  'refresh',
  'register',
  'reject',
  'remove',
  'rename',
  'renew',
  'rerun',
  'reschedule',
  'resend',
  'reset',
  'restore',
  'resume',
  'revoke',
  'roll',
  'rotate',
  'save',
  'send',
  'set',
  'sign',
  'stop',
  'submit',
  'suppress',
  'suspend',
  'sync',
  'take',
  'test',
  'undeclare',
  'unlink',
  'unpublish',
  'unschedule',
  'unsuppress',
  'update',
  'upload',
  'withdraw',
] as const
export type Verb = (typeof VERBS)[number]

/** Kinds of objects with a name in words. */
export const KINDS = [
  'account',
  'block',
  'campaign',
  'channel',
  'device',
  'event-type',
  'experiment',
  'file',
  'geofence',
  'identity-key',
  'identity-provider',
  'import',
  'instance',
  'journey',
  'key',
  'locale',
  'mail',
  'member',
  'message-topic',
  'person',
  'report',
  'review',
  'role',
  'segment',
  'service-account',
  'setting',
  'source',
  'string',
  'strings-import',
  'subject-request',
  'upload',
  'webhook',
  'workspace',
] as const
export type Kind = (typeof KINDS)[number]

/** What was done; undefined: this action has a name that is not known here. */
export function verbOf(action: string): Verb | undefined {
  const first = /^[a-z]+/.exec(action)?.[0]
  return VERBS.find((verb) => verb === first)
}

/** Undefined: a kind that has no words here. */
export function kindOf(kind: string): Kind | undefined {
  return KINDS.find((each) => each === kind)
}

/** Where in the dashboard an object is looked at; undefined: nowhere of its own. */
export function pathOfObject({ kind, id }: { kind: string; id: string }): string | undefined {
  const [block = '', instance = ''] = id.split('/')
  const one = encodeURIComponent(id)
  const paths: Partial<Record<Kind, string>> = {
    block: `content/${one}`,
    campaign: `campaigns/${one}`,
    experiment: `experiments/${one}`,
    instance: `content/${encodeURIComponent(block)}/${encodeURIComponent(instance)}`,
    journey: `journeys/${one}`,
    mail: `mails/${one}`,
    segment: `segments/${one}`,
    member: 'settings/members',
    key: 'settings/keys',
    role: 'settings/access',
    'service-account': 'settings/access',
    'identity-provider': 'settings/sign-in',
    channel: 'settings/channels',
    webhook: 'settings/webhooks',
    'message-topic': 'settings/topics',
  }
  return paths[kind as Kind]
}
