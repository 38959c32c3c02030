/**
 * HOT PATH. What delivery knows of an installation: whether it may be sent targeted content, and its segments.
 *
 * Held in memory, bounded; a view older than the refresh interval is served as it is and read again behind
 * the answer (C-LIMIT-16). A view that was never read and cannot be read is an error, never "no segments": that
 * would silently shorten the device's content.
 *
 * After a publish all clients of a workspace come at once. What their views need is asked for hundreds of devices at a
 * time and over few connections, on which workspaces take turns: nobody else waits for them.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { outcomeOfDevice } from '@contentflow/core/identity-proof/device-proof.ts'
import type { DeviceProofOutcome } from '@contentflow/core/identity-proof/modes.ts'
import { targetingReason } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { PersonView } from '@contentflow/core/messages/waiting.ts'
import type { Context } from '../../../context.ts'
import { batched } from '../../../infra/concurrency/batched.ts'
import { isSameText } from '../../../infra/secrets/crypto.ts'
import { GenerationalCacheByWorkspace } from '../../../infra/cache/generational-cache-by-workspace.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { isConnectionError } from '../../../infra/unavailable.ts'
import { listDevices, type DeviceRow } from '../snapshot/queries.ts'
import type { ReadTurns } from './read-turns.ts'

export type DeviceView = {
  /** undefined: the request names no device. */
  deviceId: string | undefined
  row: DeviceRow | undefined
  /** Whoever is behind it; undefined for nobody, or without consent. */
  person: PersonView | undefined
  /** What it proves by that it is this installation; undefined while it has no token, or when nobody can say. */
  token: string | undefined
  /** The same installation as it is answered when it proves nothing: as if nobody knew it. */
  stranger: DeviceView | undefined
  /** When its segments were worked out or, where they never were, when it was read. */
  asOf: number
  isRefreshing: boolean
  /** The last signature made for this device and what it was made from. */
  signed: Signed | undefined
  /** The last list of campaigns that was made for it, unless it was personal. */
  listed: Listed | undefined
}
/** `tag`: the requested one, where messages depend on it. `until`: it holds so long, milliseconds. */
type Signed = {
  serial: number
  environment: Environment
  epoch: number
  localeKey: string
  isTargeted: boolean
  tag: string | undefined
  until: number
  signature: string
}
/** `name`: of the list, which may be shared. `until`: one of its campaigns ends then, milliseconds. */
type Listed = {
  serial: number
  mayTarget: boolean
  tag: string
  placementId: string | undefined
  until: number
  name: string
  count: number
}
type Read = Pick<DeviceView, 'row' | 'person' | 'token'>

const VIEWS_HELD = 200_000

/** Devices asked for by one statement. */
const READ_TOGETHER = 500
const REFRESHED_TOGETHER = 200
/** A crowd: so many reads while one batch of views was refreshed. */
const CROWD = 50
/** Beside a crowd refreshes rest so many times as long as a batch took: nobody waits for them, and everybody for the event loop. */
const REST = 3
/** Connections of the pool that first reads may hold; refreshes, for which nobody waits, hold one. */
const READS_AT_ONCE = 2

/** Works the segments of installations out again; belongs to the identity module, handed in by app.ts. */
export type ReevaluateDevices = (workspaceId: string, deviceIds: readonly string[]) => Promise<void>

/** What there is of people, by the ids of their profiles; belongs to the messages module, handed in by app.ts. */
export type ReadPeople = (workspaceId: string, profileIds: readonly string[]) => Promise<Map<string, PersonView>>

/** The tokens of bound installations of one workspace; belongs to the identity module, handed in by app.ts. */
export type MakeTokens = (
  workspaceId: string,
  devices: readonly { deviceId: string; environment: Environment; epoch: number }[],
) => Promise<string[]>

type Named = { workspaceId: string; deviceId: string }
const nameOf = ({ workspaceId, deviceId }: Named) => `${workspaceId}\n${deviceId}`

export class DeviceViews {
  readonly #ctx: Context
  readonly #views = new GenerationalCacheByWorkspace<DeviceView>(VIEWS_HELD)
  /** First reads under way. One that is told of a change meanwhile is taken out: whoever asked has its result, nobody after. */
  readonly #reading = new Map<string, Promise<DeviceView>>()
  readonly #find: (device: Named) => Promise<Read>
  readonly #renew: (device: Named) => Promise<Read>
  readonly #readPeople: ReadPeople
  readonly #makeTokens: MakeTokens
  readonly #nobody = unknownView(undefined)
  /** When the next batch of refreshes may begin, by `performance.now()`. */
  #restsUntil = 0

  /** `turns`: who says whether a crowd reads. */
  constructor(
    ctx: Context,
    reevaluate: ReevaluateDevices,
    readPeople: ReadPeople,
    makeTokens: MakeTokens,
    turns: Pick<ReadTurns, 'taken'>,
  ) {
    this.#ctx = ctx
    this.#makeTokens = makeTokens
    ctx.metrics.watchCache('devices', 'entries', () => this.#views.size)
    this.#readPeople = readPeople
    const groupOf = ({ workspaceId }: Named) => workspaceId
    this.#find = batched((devices: readonly Named[]) => this.#list(devices), {
      most: READ_TOGETHER,
      atOnce: READS_AT_ONCE,
      groupOf,
      isForAll: isConnectionError,
    })
    this.#renew = batched(
      async (devices: readonly Named[]) => {
        await delay(Math.max(0, this.#restsUntil - performance.now()))
        const [began, taken] = [performance.now(), turns.taken]
        await reevaluate(
          devices[0]?.workspaceId ?? '',
          devices.map(({ deviceId }) => deviceId),
        )
        const read = await this.#list(devices)
        if (turns.taken - taken >= CROWD) this.#restsUntil = performance.now() + REST * (performance.now() - began)
        return read
      },
      { most: REFRESHED_TOGETHER, atOnce: 1, groupOf, isForAll: isConnectionError },
    )
    ctx.signals.on('device', (signal) => {
      this.#views.delete(signal.workspaceId, signal.deviceId)
      this.#reading.delete(nameOf(signal))
    })
  }

  /** The view when it is at hand; undefined asks for `read`. An id no device can have names no device (C-SYNC-22). */
  peek(workspaceId: string, header: string | string[] | undefined): DeviceView | undefined {
    if (typeof header !== 'string' || header === '' || header.length > LIMITS.deviceIdLength) return this.#nobody
    const view = this.#views.get(workspaceId, header)
    if (view && this.#isOld(view)) void this.#refresh(workspaceId, header, view)
    return view
  }

  read(workspaceId: string, deviceId: string): Promise<DeviceView> {
    const name = nameOf({ workspaceId, deviceId })
    let reading = this.#reading.get(name)
    if (!reading) {
      reading = this.#read({ workspaceId, deviceId })
      this.#reading.set(name, reading)
      const done = () => this.#reading.get(name) === reading && this.#reading.delete(name)
      reading.then((view) => {
        if (!done()) return
        this.#views.set(workspaceId, deviceId, view)
        if (this.#isOld(view)) void this.#refresh(workspaceId, deviceId, view)
      }, done)
    }
    return reading
  }

  async #read(device: Named): Promise<DeviceView> {
    const read = await this.#find(device)
    // However often it is read anew, its segments are not older than they would be.
    const asOf = read.row?.evaluatedAt?.getTime() ?? this.#ctx.clock.ms()
    return { ...unknownView(device.deviceId), ...read, asOf }
  }

  #isOld({ asOf }: DeviceView): boolean {
    return this.#ctx.clock.ms() - asOf > LIMITS.segmentRefreshSeconds * 1000
  }

  async #refresh(workspaceId: string, deviceId: string, view: DeviceView): Promise<void> {
    if (view.isRefreshing) return
    view.isRefreshing = true
    try {
      const { row, person, token } = await this.#renew({ workspaceId, deviceId })
      view.row = row
      view.person = person
      view.token = token
      view.signed = undefined
      view.listed = undefined
    } catch (error) {
      this.#ctx.log.debug({ err: error }, 'a device view could not be refreshed')
    }
    view.isRefreshing = false
    view.asOf = this.#ctx.clock.ms()
  }

  /** Of one workspace, in the order asked. */
  async #list(devices: readonly Named[]): Promise<Read[]> {
    const ids = devices.map(({ deviceId }) => deviceId)
    const workspaceId = devices[0]?.workspaceId ?? ''
    const rows = await listDevices(this.#ctx.db, workspaceId, ids)
    const linked = [...rows.values()].flatMap(({ consent, profileId }) => (consent === 'granted' && profileId !== null ? [profileId] : []))
    const people = linked.length === 0 ? undefined : await this.#readPeople(workspaceId, [...new Set(linked)])
    const tokens = await this.#listTokens(workspaceId, rows)
    return ids.map((id) => {
      const row = rows.get(id)
      return { row, person: row?.consent === 'granted' ? people?.get(row.profileId ?? '') : undefined, token: tokens.get(id) }
    })
  }

  /** By device. Without the secret that they are made with nobody proves anything, and whoever need not is served all the same. */
  async #listTokens(workspaceId: string, rows: ReadonlyMap<string, DeviceRow>): Promise<Map<string, string>> {
    const bound = [...rows].flatMap(([deviceId, { environment, boundEpoch: epoch }]) =>
      epoch === null ? [] : [{ deviceId, environment, epoch }],
    )
    if (bound.length === 0) return new Map()
    try {
      const tokens = await this.#makeTokens(workspaceId, bound)
      return new Map(bound.map(({ deviceId }, index) => [deviceId, tokens[index] ?? '']))
    } catch (error) {
      this.#ctx.log.error({ err: error, workspaceId }, 'tokens of installations cannot be checked')
      return new Map()
    }
  }
}

/** Of an installation that nobody knows; of none without an id. */
export function unknownView(deviceId: string | undefined): DeviceView {
  return {
    deviceId,
    row: undefined,
    person: undefined,
    token: undefined,
    stranger: undefined,
    asOf: Infinity,
    isRefreshing: false,
    signed: undefined,
    listed: undefined,
  }
}

/** What a read proves that comes with this token; undefined: there is nothing to prove. */
export function proofOf(
  { row, token }: DeviceView,
  environment: Environment,
  sent: string | string[] | undefined,
): DeviceProofOutcome | undefined {
  if (row?.environment !== environment) return undefined
  const isRight = token !== undefined && typeof sent === 'string' && isSameText(sent, token)
  const isSent = sent !== undefined && sent !== ''
  return outcomeOfDevice({ isBound: row.boundEpoch !== null, userId: row.userId }, { isSent, isRight })
}

/** How the installation is answered that does not prove that it is this one. */
export function strangerOf(view: DeviceView): DeviceView {
  return (view.stranger ??= unknownView(view.deviceId))
}

const NO_SEGMENTS: readonly string[] = []

/** Segments that count for this caller now: only with consent, in the device's own environment, while its record lives (C-SYNC-17, X-INT-41). */
export function segmentsFor({ deviceId, row }: DeviceView, environment: Environment, now: number): readonly string[] {
  const bar = targetingReason(deviceId === undefined ? null : row, environment, now)
  return bar === undefined && row ? row.segments : NO_SEGMENTS
}
