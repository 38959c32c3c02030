/**
 * HOT PATH. What delivery knows of an installation: whether it may be sent targeted content, and its segments.
 *
 * Held in memory, bounded; a view older than the refresh interval is served as it is and read again behind
 * the answer (C-LIMIT-16). A view that was never read and cannot be read is an error, never "no segments": that
 * would silently shorten the device's content.
 */
import { targetingBar } from '@contentflow/core/blocks/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { RecentMap } from '../../infra/recent-map.ts'
import type { Environment } from '../../infra/signals.ts'
import { findDevice, type DeviceRow } from './queries.ts'

export type DeviceView = {
  /** undefined: the request names no device. */
  deviceId: string | undefined
  row: DeviceRow | undefined
  readAt: number
  isRefreshing: boolean
  /** The last signature made for this device and what it was made from. */
  signed: { serial: number; environment: Environment; epoch: number; localeKey: string; isTargeted: boolean; signature: string } | undefined
}

const VIEWS_HELD = 200_000

/** Works the segments of an installation out again; belongs to the identity module, handed in by app.ts. */
export type ReevaluateDevice = (workspaceId: string, deviceId: string) => Promise<void>

export class DeviceViews {
  readonly #ctx: Context
  readonly #reevaluate: ReevaluateDevice
  readonly #views = new RecentMap<string, DeviceView>(VIEWS_HELD)
  /** Grows with every device that is told to have changed: what was read before that is not kept. */
  #changes = 0
  readonly #nobody: DeviceView = { deviceId: undefined, row: undefined, readAt: Infinity, isRefreshing: false, signed: undefined }

  constructor(ctx: Context, reevaluate: ReevaluateDevice) {
    this.#ctx = ctx
    this.#reevaluate = reevaluate
    ctx.signals.on('device', ({ workspaceId, deviceId }) => {
      this.#changes++
      this.#views.delete(`${workspaceId}\n${deviceId}`)
    })
  }

  /** The view when it is at hand; undefined asks for `read`. An id no device can have names no device (C-SYNC-22). */
  peek(workspaceId: string, header: string | string[] | undefined): DeviceView | undefined {
    if (typeof header !== 'string' || header === '' || header.length > LIMITS.deviceIdLength) return this.#nobody
    const view = this.#views.get(`${workspaceId}\n${header}`)
    if (view && this.#ctx.clock.ms() - view.readAt > LIMITS.segmentRefreshSeconds * 1000) this.#refresh(workspaceId, view)
    return view
  }

  async read(workspaceId: string, deviceId: string): Promise<DeviceView> {
    const before = this.#changes
    const row = await findDevice(this.#ctx.db, workspaceId, deviceId)
    const view: DeviceView = { deviceId, row, readAt: this.#ctx.clock.ms(), isRefreshing: false, signed: undefined }
    if (before === this.#changes) this.#views.set(`${workspaceId}\n${deviceId}`, view)
    return view
  }

  #refresh(workspaceId: string, view: DeviceView): void {
    if (view.isRefreshing) return
    view.isRefreshing = true
    const deviceId = view.deviceId ?? ''
    this.#reevaluate(workspaceId, deviceId)
      .then(() => findDevice(this.#ctx.db, workspaceId, deviceId))
      .then((row) => {
        view.row = row
        view.signed = undefined
      })
      .catch((error: unknown) => this.#ctx.log.debug({ err: error }, 'a device view could not be refreshed'))
      .finally(() => {
        view.isRefreshing = false
        view.readAt = this.#ctx.clock.ms()
      })
  }
}

const NO_SEGMENTS: readonly string[] = []

/** Segments that count for this caller now: only with consent, in the device's own environment, while its record lives (C-SYNC-17, X-INT-41). */
export function segmentsFor({ deviceId, row }: DeviceView, environment: Environment, now: number): readonly string[] {
  const bar = targetingBar(deviceId === undefined ? null : row, environment, now)
  return bar === undefined && row ? row.segments : NO_SEGMENTS
}
