/** HOT PATH. Reads: the data of an answer, from memory or loaded, and its bytes. */
import type { IncomingHttpHeaders } from 'node:http'
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { pickLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { AppCaller, HearLocale, NoteProof } from '../../../http/callers/caller.ts'
import { clientHeaders } from '../../../http/callers/client-headers.ts'
import { bytesOf, FinishedAnswers, talliesOf, type Exchange } from '../../../http/answers/finished-answer.ts'
import { Answers } from './answers.ts'
import { CampaignLists, type CampaignList } from './campaigns.ts'
import { proofOf, strangerOf, type DeviceView, type DeviceViews } from './device-view.ts'
import type { SnapDefinition, Snapshot } from '../snapshot/snapshot.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'

type AtHand = { snapshot: Snapshot; device: DeviceView }
/** `block` is what GET /blocks/{key} asks for: a type, or the person's messages; without one it is GET /sync. */
export type ReadyDelivery = AtHand & { block: SnapDefinition | typeof RESERVED_BLOCK_KEY | undefined }
/** What POST /campaigns asks for. */
export type CampaignsAsked = { placementId: string | undefined; acceptLanguage: string | undefined }

/** C-CAMP-05: campaigns are switched off. */
const OFF = { feature: 'campaigns', reason: 'feature_disabled' }
const JSON_HEADERS = ['content-type', 'application/json; charset=utf-8', 'cache-control', 'private, no-cache']
const CAMPAIGN_HEADERS = { live: [...JSON_HEADERS, ...clientHeaders('live')], test: [...JSON_HEADERS, ...clientHeaders('test')] }

/** Bytes of finished answers held. */
const ANSWER_BYTES = 128 * 1024 * 1024

export class DeliveryReader {
  readonly #ctx: Context
  readonly #snapshots: Snapshots
  readonly #views: DeviceViews
  readonly #hearLocale: HearLocale
  readonly #noteProof: NoteProof
  readonly #finished: FinishedAnswers
  readonly #answers: Answers
  readonly #tallies
  readonly #campaigns = new CampaignLists()

  constructor(ctx: Context, snapshots: Snapshots, views: DeviceViews, hearLocale: HearLocale, noteProof: NoteProof) {
    this.#ctx = ctx
    this.#snapshots = snapshots
    this.#views = views
    this.#hearLocale = hearLocale
    this.#noteProof = noteProof
    this.#finished = new FinishedAnswers(ctx.log, ANSWER_BYTES)
    this.#answers = new Answers(this.#finished)
    const { request, watchCache } = ctx.metrics
    watchCache('answers', 'bytes', () => this.#finished.bytes)
    watchCache('campaigns', 'bytes', () => this.#campaigns.bytes)
    this.#tallies = {
      sync: talliesOf(ctx.metrics, '/sdk/v1/sync'),
      block: talliesOf(ctx.metrics, '/sdk/v1/blocks/:key'),
      campaigns: { 200: request('POST', '/sdk/v1/campaigns', 200), 503: request('POST', '/sdk/v1/campaigns', 503) },
    }
  }

  /** The data of an answer when it is in memory; undefined: `load` has to read it. */
  ready(caller: AppCaller, deviceHeader: string | string[] | undefined, blockKey: string | undefined): ReadyDelivery | undefined {
    const snapshot = this.#snapshots.peek(caller.workspaceId, caller.view)
    const device = snapshot && this.#peekView(caller, deviceHeader, snapshot.campaigns.inAppRevision)
    if (!device) return undefined
    const block = blockKey === undefined ? undefined : blockOf(snapshot, blockKey)
    return blockKey !== undefined && !block ? undefined : { snapshot, device, block }
  }

  /** The data for POST /campaigns when it is in memory. */
  readyCampaigns(caller: AppCaller, deviceId: string | undefined): AtHand | undefined {
    const snapshot = this.#snapshots.peek(caller.workspaceId, caller.view)
    const device = snapshot && this.#peekView(caller, deviceId, snapshot.campaigns.revision)
    return device && { snapshot, device }
  }

  /** Reads the data from the database; 404 for an unknown block type. */
  async load(caller: AppCaller, deviceHeader: string | string[] | undefined, blockKey: string | undefined): Promise<ReadyDelivery> {
    const snapshot = await this.#snapshotOf(caller)
    const block = blockKey === undefined ? undefined : (blockOf(snapshot, blockKey) ?? failWith(404, 'unknown block'))
    return { snapshot, device: await this.#viewOf(caller, deviceHeader, snapshot.campaigns.inAppRevision), block }
  }

  /** Loads the data for POST /campaigns. */
  async loadCampaigns(caller: AppCaller, deviceId: string | undefined): Promise<AtHand> {
    const snapshot = await this.#snapshotOf(caller)
    return { snapshot, device: await this.#viewOf(caller, deviceId, snapshot.campaigns.revision) }
  }

  async #snapshotOf(caller: AppCaller): Promise<Snapshot> {
    return (await this.#snapshots.get(caller.workspaceId, caller.view)) ?? failWith(404, 'workspace not found')
  }

  #peekView(caller: AppCaller, deviceHeader: string | string[] | undefined, revision: number): DeviceView | undefined {
    const known = this.#views.peek(caller.workspaceId, deviceHeader)
    return known && !isBehind(known, caller, revision) ? known : undefined
  }

  /** A person who was being read while a campaign went live is read once more. */
  async #viewOf(caller: AppCaller, deviceHeader: string | string[] | undefined, revision: number): Promise<DeviceView> {
    const known = this.#peekView(caller, deviceHeader, revision)
    if (known) return known
    const read = await this.#views.read(caller.workspaceId, String(deviceHeader))
    return isBehind(read, caller, revision) ? this.#views.read(caller.workspaceId, String(deviceHeader)) : read
  }

  /** Writes 200 or 304, past the framework. */
  write(exchange: Exchange, { snapshot, device: view, block }: ReadyDelivery, locale: string | undefined): void {
    const { request, response, caller, rate, began } = exchange
    const device = this.#shownTo(caller, view, request.headers)
    const tag = pickLocale(locale, request.headers['accept-language'], snapshot.sourceLocale)
    const now = this.#ctx.clock.ms()
    const answer =
      block === undefined
        ? this.#answers.sync(snapshot, device, caller, tag, now)
        : block === RESERVED_BLOCK_KEY
          ? this.#answers.messages(snapshot, device, caller, tag, now)
          : this.#answers.block(snapshot, block, device, { caller, tag, now })
    const tallies = block === undefined ? this.#tallies.sync : this.#tallies.block
    const tally = tallies[this.#finished.write(request, response, answer, rate)]
    tally.count++
    tally.took.note(performance.now() - began)
    if (device === view) this.#hearLocale(caller, device.deviceId, locale, request.headers['accept-language'])
  }

  /** Writes the answer of POST /campaigns, past the framework. */
  writeCampaigns(exchange: Exchange, { snapshot, device: view }: AtHand, { placementId, acceptLanguage }: CampaignsAsked): void {
    const { request, response, caller, rate, began } = exchange
    const { environment } = caller
    const device = this.#shownTo(caller, view, request.headers)
    const tag = pickLocale(undefined, acceptLanguage, snapshot.sourceLocale)
    const list = this.#campaigns.list(snapshot, device, { environment, tag, placementId, now: this.#ctx.clock.ms() })
    const body = list && bodyOf(caller, snapshot, list)
    const status = this.#finished.writeOnce(response, caller, rate, body, CAMPAIGN_HEADERS[environment])
    const tally = this.#tallies.campaigns[status]
    tally.count++
    tally.took.note(performance.now() - began)
    if (device === view) this.#hearLocale(caller, device.deviceId, undefined, acceptLanguage)
  }

  /** An installation that has to prove itself and does not is answered like an unknown one. */
  #shownTo(caller: AppCaller, view: DeviceView, headers: IncomingHttpHeaders): DeviceView {
    const { deviceProof } = caller.proofs
    if (deviceProof === 'off') return view
    const outcome = proofOf(view, caller.environment, headers['x-cf-device-token'])
    if (outcome === undefined) return view
    this.#noteProof(caller, 'deviceProof', outcome, headers['x-cf-sdk-version'])
    return deviceProof === 'required' && outcome !== 'proven' ? strangerOf(view) : view
  }
}

function bodyOf({ ownerId }: AppCaller, { features }: Snapshot, { userId, count, data }: CampaignList): string {
  const metadata = { tenantId: ownerId, userId, campaignCount: count, ...(!features.campaigns && OFF) }
  return data + bytesOf(`,"metadata":${JSON.stringify(metadata)}}`)
}

/** Whether campaigns were added since the person was read. */
function isBehind({ person }: DeviceView, { view }: AppCaller, revision: number): boolean {
  return person !== undefined && person.revisions[view] < revision
}

function blockOf(snapshot: Snapshot, key: string): ReadyDelivery['block'] {
  return key === RESERVED_BLOCK_KEY ? key : snapshot.definitions.get(key)
}
