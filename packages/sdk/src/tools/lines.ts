/**
 * What a step of the machine did, in lines for developers. Ids of people, traits and properties are left out: what is
 * copied from a console into a ticket would carry them along.
 */
import type { Answer, Call } from '../machine/answer.ts'
import type { Item } from '../machine/queue.ts'
import type { Effect, StepEvent } from '../machine/state.ts'
import type { Stepped } from '../shell/engine.ts'
import type { Block } from '../types.ts'

/** Empty for steps that say nothing, such as the passing of time. */
export function linesOf({ event, effects, state }: Pick<Stepped, 'event' | 'effects' | 'state'>): string[] {
  return [...eventLines(event, state), ...effects.flatMap(effectLine)]
}

function eventLines(event: StepEvent, state: Stepped['state']): string[] {
  switch (event.type) {
    case 'start':
    case 'stop':
      return [event.type === 'start' ? 'started' : 'stopped']
    case 'loaded':
      return [`read from storage: ${counted(state.content?.blocks.length ?? 0, 'block')}, ${counted(state.items.length, 'write')} to send`]
    case 'enqueue':
      return [`to send: ${nameOf(event.item)}`]
    case 'note':
      return [
        ...('locale' in event.patch ? [`language: ${event.patch.locale ?? 'that of the server'}`] : []),
        ...('isVisible' in event.patch ? [`the page is ${event.patch.isVisible ? 'visible' : 'hidden'}`] : []),
      ]
    case 'heard':
      return event.signals > 0 ? [`stream: ${counted(event.signals, 'signal')}, asking again`] : []
    case 'answered':
      return [`← ${event.lane}: ${answerLine(event.answer)}`, ...(event.lane === 'sync' ? blockLines(state.content?.blocks ?? []) : [])]
    default:
      return []
  }
}

function effectLine(effect: Effect): string[] {
  if (effect.type === 'request') return [`→ ${callLine(effect.call)}`]
  if (effect.type === 'settle' && effect.outcome.status === 'failed') return [`refused: ${effect.outcome.error.code ?? 'without a code'}`]
  if (effect.type !== 'emit') return []
  const { name, value } = effect.emission
  if (name === 'dropped') return [`events that do not count: ${JSON.stringify(value)}`]
  return name === 'offline' || name === 'error' || name === 'rejected' || name === 'identity_refused'
    ? [`${name}: ${value.code ?? `status ${value.status}`}`]
    : []
}

function callLine({ method, path, body }: Call): string {
  const events = body?.['events']
  return `${method} ${path}${Array.isArray(events) ? ` (${counted(events.length, 'event')})` : ''}`
}

function answerLine({ status, body, reason }: Answer): string {
  if (status === 0) return `no answer (${reason ?? 'unknown'})`
  if (status === 304) return '304, nothing changed'
  const code = body?.['code']
  return `${status}${typeof code === 'string' ? ` ${code}` : ''}${body ? '' : ', not from the service'}`
}

/** The blocks in their order, and whom each is aimed at. */
function blockLines(blocks: readonly Block[]): string[] {
  return blocks.map((block) => `  ${block.key} ${block.instanceId} (version ${block.version}): ${aimOf(block)}`)
}

/** Why a block is delivered, as far as it says so itself. */
export function aimOf({ segment, source, campaignId }: Block): string {
  if (source !== undefined) return `a message of a ${source}${campaignId === undefined ? '' : ` (${campaignId})`}`
  return segment === undefined ? 'for everyone' : `for the segment ${segment}`
}

/** A write by its kind; an event by its type and block. */
export function nameOf({ kind, body }: Pick<Item, 'kind' | 'body'>): string {
  if (kind !== 'event') return kind
  const { type, blockKey } = body
  return `event ${String(type)}${typeof blockKey === 'string' ? ` of ${blockKey}` : ''}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
