/**
 * HOT PATH. From a request to finished bytes: an answer depends on few things (snapshot, schedule epoch,
 * locale, the device's targeted segments and variants), which make its signature; each signature is rendered
 * once. Serving is: signature, cache look-up, tag comparison, write.
 */
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { assignVariant } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { isOnAir, scheduleEpoch } from '@contentflow/core/blocks/serving/select-blocks.ts'
import type { AppCaller } from '../../../http/callers/caller.ts'
import type { Answer, FinishedAnswers } from '../../../http/answers/finished-answer.ts'
import { hash32, hashSecret } from '../../../infra/secrets/crypto.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { segmentsFor, type DeviceView } from './device-view.ts'
import { messagesFor, type Messages } from './messages.ts'
import { renderBlock, renderMessages, renderSync, type View } from './render.ts'
import { localeKeyOf, type SnapDefinition, type SnapInstance, type Snapshot } from '../snapshot/snapshot.ts'

/** An answer belongs to one key, device and language. */
const VARY = 'X-CF-Key, X-API-Key, X-CF-Device, Accept-Language, Accept-Encoding'

/** The header with the `Last-Event-ID` for opening a stream that reports changes since this answer: its revision and its schedule epoch. */
const LAST_EVENT_ID = 'x-cf-last-event-id'

/** The view, language and moment (milliseconds) of an answer. */
type Asked = { caller: AppCaller; tag: string; now: number }

export class Answers {
  readonly #finished: FinishedAnswers

  constructor(finished: FinishedAnswers) {
    this.#finished = finished
  }

  sync(snapshot: Snapshot, device: DeviceView, caller: AppCaller, tag: string, now: number): Answer {
    const { environment } = caller
    const signature = signatureOf(snapshot, device, environment, tag, now)
    const answer = this.#finished.get(signature)
    if (answer) return answer
    const text = this.#renderSync(snapshot, device, environment, tag, now)
    return this.#finished.add(signature, caller, text, VARY, [
      LAST_EVENT_ID,
      `${snapshot.revision}.${scheduleEpoch(snapshot.boundaries, now)}`,
    ])
  }

  #renderSync(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): string | undefined {
    const { blocks } = messagesFor(snapshot, device, environment, tag, now)
    return renderSync(snapshot, viewOf(snapshot, device, environment, tag, now), blocks)
  }

  /** The key of GET /blocks/journey_message: nobody registers it as a type, but it is delivered like one. */
  messages(snapshot: Snapshot, device: DeviceView, caller: AppCaller, tag: string, now: number): Answer {
    const { environment } = caller
    const name = `${signatureOf(snapshot, device, environment, tag, now)}|${RESERVED_BLOCK_KEY}`
    const answer = this.#finished.get(name)
    if (answer) return answer
    const { blocks } = messagesFor(snapshot, device, environment, tag, now)
    return this.#finished.add(name, caller, renderMessages(snapshot, blocks), VARY)
  }

  block(snapshot: Snapshot, definition: SnapDefinition, device: DeviceView, { caller, tag, now }: Asked): Answer {
    const { environment } = caller
    const name = `${signatureOf(snapshot, device, environment, tag, now)}|${definition.row.key}`
    const answer = this.#finished.get(name)
    if (answer) return answer
    return this.#finished.add(name, caller, renderBlock(snapshot, definition, viewOf(snapshot, device, environment, tag, now)), VARY)
  }
}

const NO_MESSAGES: Messages = { blocks: [], until: Infinity }

/** Everything that an answer depends on, as text. Kept on the device's view, so that a device that asks again costs three comparisons. */
function signatureOf(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): string {
  const epoch = scheduleEpoch(snapshot.boundaries, now)
  const localeKey = localeKeyOf(snapshot, tag)
  const segments = segmentsFor(device, environment, now)
  const isTargeted = segments.length > 0
  const { signed } = device
  if (
    signed &&
    signed.serial === snapshot.serial &&
    signed.environment === environment &&
    signed.epoch === epoch &&
    signed.localeKey === localeKey &&
    signed.isTargeted === isTargeted &&
    (signed.tag === undefined || (signed.tag === tag && now < signed.until))
  )
    return signed.signature
  const member = membership(snapshot, segments)
  const variants = snapshot.withVariants
    .filter((instance) => isOnAir(instance.startsAt, instance.endsAt, now) && (instance.target === -1 || member.has(instance.target)))
    .map((instance) => variantOf(instance, device.deviceId))
  const hasMessages = device.person !== undefined && device.person.messages.length > 0
  const { blocks, until }: Messages = hasMessages ? messagesFor(snapshot, device, environment, tag, now) : NO_MESSAGES
  const signature = `${snapshot.serial}|${environment}|${epoch}|${localeKey}|${[...member].sort((a, b) => a - b).join('.')}|${variants.join('.')}${blocks.length > 0 ? `|${hashSecret(blocks.join())}` : ''}`
  const signedFor = hasMessages ? tag : undefined
  device.signed = { serial: snapshot.serial, environment, epoch, localeKey, isTargeted, tag: signedFor, until, signature }
  return signature
}

/** What an answer for this device and moment is rendered from. */
export function viewOf(snapshot: Snapshot, device: DeviceView, environment: Environment, tag: string, now: number): View {
  const member = membership(snapshot, segmentsFor(device, environment, now))
  return {
    localeKey: localeKeyOf(snapshot, tag),
    isIn: (target) => member.has(target),
    variantOf: (instance) => variantOf(instance, device.deviceId),
    now,
  }
}

/** A device's segments reduced to those that some instance targets. */
function membership(snapshot: Snapshot, segments: readonly string[]): Set<number> {
  const member = new Set<number>()
  for (const segment of segments) {
    const target = snapshot.targets.get(segment)
    if (target !== undefined) member.add(target)
    const renamed = snapshot.formerTargets.get(segment)
    if (renamed !== undefined) member.add(renamed)
  }
  return member
}

function variantOf(instance: SnapInstance, deviceId: string | undefined): number {
  return instance.weights.length === 0 ? -1 : assignVariant(instance.weights, deviceId, instance.row.id, hash32)
}
