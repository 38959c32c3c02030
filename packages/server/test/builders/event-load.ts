/** Devices that send events while the server dies under them, and what must be true of the table afterwards. */
import assert from 'node:assert/strict'
import { openDatabase } from '../../src/db/open.ts'
import type { Answer, Workspace } from './builders.ts'
import { identify } from './people.ts'
import { pause } from '../harness/until.ts'

const DEVICES = 8
/** Every event is about this block, so that its counters are counters of all. */
export const BLOCK = 'promo'

/** `screen` is the event's own name, known to the sender alone. */
type Event = { type: string; blockKey: string; screen: string; eventId?: string }
export type Verdict = { stored: number; lost: string[]; twice: string[]; unknown: string[] }

export class EventLoad {
  readonly acknowledged = new Set<string>()
  readonly #ws: Workspace
  readonly #sent = new Set<string>()
  /** By device: events with ids whose answer was lost. */
  readonly #unanswered = new Map<string, Event[]>()

  private constructor(ws: Workspace) {
    this.#ws = ws
  }

  static async open(ws: Workspace): Promise<EventLoad> {
    const load = new EventLoad(ws)
    for (let i = 0; i < DEVICES; i++) {
      await identify(ws.app, `device-${i}`)
      load.#unanswered.set(`device-${i}`, [])
    }
    return load
  }

  /** Every device sends one batch after the other, the next when the last is answered or lost. */
  async run(isOver: () => boolean): Promise<void> {
    await Promise.all(
      [...this.#unanswered.keys()].map(async (device) => {
        while (!isOver()) await this.#sendNext(device)
      }),
    )
  }

  /** Sends again whatever had no answer; now it must have one. */
  async settle(): Promise<void> {
    for (const [device, events] of this.#unanswered) {
      if (events.length > 0) await this.#send(device, events)
      assert.deepEqual(this.#unanswered.get(device), [])
    }
  }

  /** Against the rows that are there, of this name as often. */
  judge(rows: readonly { name: string; count: number }[]): Verdict {
    const names = new Set(rows.map(({ name }) => name))
    return {
      stored: rows.reduce((sum, { count }) => sum + count, 0),
      lost: [...this.acknowledged].filter((name) => !names.has(name)),
      twice: rows.filter(({ count }) => count > 1).map(({ name }) => name),
      unknown: [...names].filter((name) => !this.#sent.has(name)),
    }
  }

  /** What had no answer comes first, in a batch with new events. One batch in four is sent twice at once. */
  async #sendNext(device: string): Promise<void> {
    const again = this.#unanswered.get(device) ?? []
    const size = Math.random() < 0.1 ? 100 - again.length : 1 + Math.floor(Math.random() * 20)
    const events = [...again, ...Array.from({ length: Math.min(size, 100 - again.length) }, () => this.#newEvent(device))]
    const withIds = events.filter(({ eventId }) => eventId !== undefined)
    if (Math.random() < 0.25) await Promise.all([this.#send(device, withIds), this.#send(device, withIds)])
    else await this.#send(device, events)
  }

  #newEvent(device: string): Event {
    const name = `${device} ${this.#sent.size}`
    this.#sent.add(name)
    return { type: 'impression', blockKey: BLOCK, screen: name, ...(Math.random() < 0.5 && { eventId: name }) }
  }

  async #send(device: string, events: Event[]): Promise<void> {
    let answer: Answer | undefined
    try {
      answer = await this.#ws.app.post('/events', { deviceId: device, events })
    } catch {
      // The server is gone, and with it the answer.
    }
    if (answer?.status === 202) {
      assert.equal(answer.data.accepted, events.length, answer.text)
      for (const { screen } of events) this.acknowledged.add(screen)
      this.#unanswered.set(device, [])
      return
    }
    // The database may be away for a moment; nothing else may be the answer.
    assert.ok(answer === undefined || answer.status === 503, answer?.text ?? '')
    this.#unanswered.set(
      device,
      events.filter(({ eventId }) => eventId !== undefined),
    )
    await pause(20)
  }
}

/** `kill` at a random moment of a busy time, `start` again, `rounds` times. */
export async function endureKills(
  load: EventLoad,
  rounds: number,
  { kill, start }: { kill(round: number): Promise<void>; start(round: number): Promise<void> },
): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    let isOver = false
    const running = load.run(() => isOver)
    // Not before the load is under way, then at any moment of it. A failure of the load is told at once.
    const goal = load.acknowledged.size + 50
    while (load.acknowledged.size < goal) await Promise.race([pause(5), running])
    await pause(Math.random() * 200)
    await kill(round)
    isOver = true
    await running
    await start(round)
  }
}

/** How often each name is in the table. On the embedded database only while no server runs. */
export async function readStored(databaseEnv: Record<string, string>, workspaceId: string): Promise<{ name: string; count: number }[]> {
  const config = { databaseUrl: databaseEnv['DATABASE_URL'] ?? '', dataDir: databaseEnv['CF_DATA_DIR'] ?? '', databasePool: 1 }
  const { db, close } = await openDatabase(config, { error: () => {} }, () => {})
  try {
    const rows = await db
      .selectFrom('events')
      .select(['screen', (count) => count.fn.countAll<number>().as('count')])
      .where('workspace_id', '=', workspaceId)
      .groupBy('screen')
      .execute()
    return rows.map(({ screen, count }) => ({ name: screen ?? '', count }))
  } finally {
    await close()
  }
}
