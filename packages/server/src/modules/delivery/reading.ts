/** HOT PATH. A conditional read: what it needs at hand, found or loaded, and the bytes of its answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pickLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { AppCaller } from '../../http/caller.ts'
import { FinishedAnswers } from '../../http/finished-answer.ts'
import type { Rate } from '../../http/rate-limit.ts'
import { Answers } from './answers.ts'
import { DeviceViews, type DeviceView, type ReevaluateDevices } from './device-view.ts'
import type { SnapDefinition, Snapshot } from './snapshot.ts'
import type { Snapshots } from './snapshots.ts'

/** `definition` is that of GET /blocks/{key}; without one it is GET /sync. */
export type Ready = { snapshot: Snapshot; device: DeviceView; definition: SnapDefinition | undefined }

/** Bytes of finished answers held. */
const ANSWER_BYTES = 128 * 1024 * 1024

export class Reading {
  readonly #ctx: Context
  readonly #snapshots: Snapshots
  readonly #views: DeviceViews
  readonly #finished: FinishedAnswers
  readonly #answers: Answers
  readonly #tallies

  constructor(ctx: Context, snapshots: Snapshots, reevaluate: ReevaluateDevices) {
    this.#ctx = ctx
    this.#snapshots = snapshots
    this.#views = new DeviceViews(ctx, reevaluate)
    this.#finished = new FinishedAnswers(ctx.log, ANSWER_BYTES)
    this.#answers = new Answers(this.#finished)
    const { request } = ctx.metrics
    this.#tallies = {
      sync: { 200: request('/sync', 200), 304: request('/sync', 304) },
      block: { 200: request('/blocks/:key', 200), 304: request('/blocks/:key', 304) },
    }
  }

  /** What an answer needs when it is in memory; undefined asks for `load`. */
  ready(caller: AppCaller, deviceHeader: string | string[] | undefined, blockKey: string | undefined): Ready | undefined {
    const snapshot = this.#snapshots.peek(caller.workspaceId, caller.view)
    if (!snapshot) return undefined
    const device = this.#views.peek(caller.workspaceId, deviceHeader)
    if (!device) return undefined
    const definition = blockKey === undefined ? undefined : snapshot.definitions.get(blockKey)
    return blockKey !== undefined && !definition ? undefined : { snapshot, device, definition }
  }

  /** The same from the database. 404 for an unknown block type. */
  async load(caller: AppCaller, deviceHeader: string | string[] | undefined, blockKey: string | undefined): Promise<Ready> {
    const snapshot = (await this.#snapshots.get(caller.workspaceId, caller.view)) ?? failWith(404, 'workspace not found')
    const definition = blockKey === undefined ? undefined : (snapshot.definitions.get(blockKey) ?? failWith(404, 'unknown block'))
    const device = this.#views.peek(caller.workspaceId, deviceHeader) ?? (await this.#views.read(caller.workspaceId, String(deviceHeader)))
    return { snapshot, device, definition }
  }

  /** Writes 200 or 304, past the framework. */
  write(
    request: IncomingMessage,
    response: ServerResponse,
    caller: AppCaller,
    rate: Rate | undefined,
    { snapshot, device, definition }: Ready,
    locale: string | undefined,
  ): void {
    const tag = pickLocale(locale, request.headers['accept-language'], snapshot.sourceLocale)
    const now = this.#ctx.clock.ms()
    const answer = definition
      ? this.#answers.block(snapshot, definition, device, caller.environment, tag, now)
      : this.#answers.sync(snapshot, device, caller.environment, tag, now)
    const tallies = definition ? this.#tallies.block : this.#tallies.sync
    tallies[this.#finished.write(request, response, answer, rate)].count++
  }
}
