/** The way from an empty workspace to something people see. */
import type { Summary } from '../content/api.ts'

export const STEPS = ['keys', 'types', 'fill', 'publish', 'see'] as const
export type Step = (typeof STEPS)[number]

export type Facts = {
  appKeys: number
  /** Undefined: the person may not see them, so they are not asked for. */
  writeKeys: number | undefined
  blockTypes: number
  instances: readonly Pick<Summary, 'label' | 'state'>[]
  liveInstances: number
  /** Counted over the last 30 days. */
  events: number
}

/** Which steps are done. Somebody may do them in another order, or undo one. */
export function stepsDone({ appKeys, writeKeys, blockTypes, instances, liveInstances, events }: Facts): Record<Step, boolean> {
  return {
    keys: appKeys > 0 && writeKeys !== 0,
    types: blockTypes > 0,
    fill: instances.some(({ label }) => label !== null),
    publish: liveInstances > 0 || instances.some(({ state }) => state !== 'draft'),
    see: events > 0,
  }
}

/** The first thing that is still to be done. */
export function nextStep(done: Record<Step, boolean>): Step | undefined {
  return STEPS.find((step) => !done[step])
}

/** A block type to begin with, as a pipeline declares it. */
export const FIRST_TYPE = {
  key: 'home_hero',
  name: 'Home hero',
  screen: 'home',
  designType: 'hero',
  fields: [
    { id: 'f_title', tag: '#title', type: 'text', label: 'Title', required: true, maxLength: 60 },
    { id: 'f_image', tag: '#image', type: 'image', label: 'Picture' },
    { id: 'f_link', tag: '#link', type: 'url', label: 'Opens' },
  ],
}

/** The command that declares a block type; without the key's text it reads the key from the environment. */
export function registerCommand(origin: string, writeKey: string | undefined): string {
  const key = writeKey ?? '$CF_WRITE_KEY'
  return [
    `curl -X POST ${origin}/sdk/v1/cards/register \\`,
    `  -H "X-CF-Write-Key: ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(FIRST_TYPE)}'`,
  ].join('\n')
}

export function readCommand(origin: string, appKey: string | undefined): string {
  return `curl -H "X-CF-Key: ${appKey ?? '$CF_APP_KEY'}" ${origin}/sdk/v1/sync`
}
