/**
 * The inbox of the person on this installation, the same on all of their devices. The server counts; here is what it said last,
 * and over it what the person did since and the server does not know yet. Of two answers the one with the greater revision is the
 * later one, whichever came first: that is why the count cannot drift.
 */
import { applied, inTurn, openChanges, requestOf, withChange, type Act, type Change } from './inbox-changes.ts'
import type { Client, ContentFlowError, Storage } from './types.ts'

/** A message in the inbox. Times are ISO 8601. */
export type InboxItem = {
  id: string
  title: string | null
  body: string | null
  image: string | null
  button: { label: string; url: string } | null
  createdAt: string
  readAt: string | null
  archivedAt: string | null
  campaignId?: string
  journeyId?: string
}

/** Everything there is to show, at one moment. Immutable: as long as nothing changes it is the same object. */
export type InboxSnapshot = {
  /** What is not archived, the newest first, as far as it was asked for. */
  items: readonly InboxItem[]
  /** Neither read nor archived; 100: so many or more. */
  unread: number
  /** Nothing has been answered yet. */
  isLoading: boolean
  /** Older messages follow; `more` asks for them. */
  hasMore: boolean
  /** Why the last question was not answered. */
  error: unknown
  /**
   * What the person did and the server does not know yet outlives this page. False: the storage refused it, or there is none, so it
   * is lost where the page or the app is closed before it is sent.
   */
  isKept: boolean
}

/** One page of the inbox, as the server answers it. */
export type InboxPage = { items: readonly InboxItem[]; unread: number; revision: number; nextCursor: string | null }

/** The inbox of a client. It reads while somebody is subscribed. */
export type Inbox = {
  snapshot(): InboxSnapshot
  /** Calls `listener` whenever the snapshot is another one; fit for `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  /** One page, without keeping it: for `archived`, or a list of one's own. */
  list(asked?: { state?: 'unread' | 'all' | 'archived'; cursor?: string }): Promise<InboxPage>
  /** Adds older messages to the snapshot; why that failed stands in its `error`. */
  more(): Promise<void>
  /** Reading a message for the first time counts as an impression of its campaign. */
  markRead(id: string, isRead?: boolean): void
  archive(id: string, isArchived?: boolean): void
  /** Reads everything that the person can see now; what comes meanwhile stays unread. */
  readAll(): void
  /** The button of a message was pressed: counted for its campaign, and read. */
  click(id: string): void
}

type Known = InboxPage & { isLoading: boolean; error: unknown }

const NOTHING: Known = { items: [], unread: 0, revision: -1, nextCursor: null, isLoading: true, error: undefined }
const inboxes = new WeakMap<object, Inbox>()

type InboxClient = Pick<Client, 'request' | 'on' | 'subscribe' | 'snapshot' | 'track'>

/**
 * The inbox of this client; the same one at every call. What is done without a connection waits in `storage`, which is
 * `localStorage` in browsers; elsewhere name the one that the client has, or it waits in memory.
 */
export function inbox(client: InboxClient, { storage }: { storage?: Storage } = {}): Inbox {
  const known = inboxes.get(client)
  if (known) return known
  const made = makeInbox(client, storage)
  inboxes.set(client, made)
  return made
}

function makeInbox(client: InboxClient, storage: Storage | undefined): Inbox {
  const listeners = new Set<() => void>()
  const store = openChanges(storage)
  let known = NOTHING
  let waiting: readonly Change[] = []
  let isKept = true
  let shown = show(known, waiting, isKept)
  let person = personOf(client)
  let owner = ''
  let stop: (() => void)[] = []
  let isReading = false
  let isAskedAgain = false
  let isSending = false

  const set = (next: Known, changes = waiting) => {
    known = next
    const isSaved = changes === waiting ? isKept : owner !== '' && store.save(owner, changes)
    waiting = changes
    if (typeof isSaved === 'boolean') isKept = isSaved
    else void isSaved.then((isStored) => keep(changes, isStored))
    draw()
  }
  /** A storage that answers later: what was stored meanwhile has an answer of its own. */
  const keep = (changes: readonly Change[], isStored: boolean) => {
    if (changes !== waiting) return
    isKept = isStored
    draw()
  }
  const draw = () => {
    const view = show(known, waiting, isKept)
    if (JSON.stringify(view) === JSON.stringify(shown) && view.error === shown.error) return
    shown = view
    for (const listener of listeners) listener()
  }
  const list: Inbox['list'] = async ({ state = 'all', cursor } = {}) => {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await client.request({ method: 'GET', path: `/inbox?state=${state}${query}` })
    const { nextCursor = null } = (answer['metadata'] ?? {}) as { nextCursor?: string | null }
    return { ...(answer['data'] as Omit<InboxPage, 'nextCursor'>), nextCursor }
  }
  /** One question at a time: asked for meanwhile, it is asked once more. */
  const read = async (): Promise<void> => {
    if (isReading) return void (isAskedAgain = true)
    isReading = true
    const asker = person
    const before = known.revision
    try {
      const page = await list()
      // Of another person, or asked before an answer to a change that is later.
      if (asker !== person || (page.revision < known.revision && known.revision !== before)) isAskedAgain = true
      else set({ ...withOlder(known, page), isLoading: false, error: undefined })
    } catch (error) {
      // A client that was not started yet reads when it is.
      if (asker === person && (error as ContentFlowError).code !== 'STOPPED') set({ ...known, error })
    }
    isReading = false
    if (!isAskedAgain || listeners.size === 0) return
    isAskedAgain = false
    await read()
  }
  /** In order, one at a time, and one tab at a time. What cannot be sent waits for the next answer of the server. */
  const send = async (): Promise<void> => {
    if (isSending || waiting.length === 0) return
    isSending = true
    try {
      await inTurn(sendAll)
    } catch (error) {
      // The browser gave no turn: the changes wait, and whoever draws the inbox can say why.
      set({ ...known, error })
    }
    isSending = false
  }
  const sendAll = async (): Promise<void> => {
    leaveSent()
    for (let [next] = waiting; next; [next] = waiting) {
      const asker = person
      const change = next
      const others = () => waiting.filter(({ id }) => id !== change.id)
      try {
        const { data } = (await client.request({ method: 'POST', ...requestOf(change) })) as {
          data: Pick<InboxPage, 'unread' | 'revision'>
        }
        if (asker !== person) break
        const isLater = data.revision >= known.revision
        // What another device changed meanwhile is read by the next question.
        const items = known.items.map((item) => applied(item, change))
        set(isLater ? { ...known, ...data, items } : { ...known, items }, others())
      } catch (error) {
        if (asker !== person || isForLater(error as ContentFlowError)) break
        set(known, others())
        void read()
      }
    }
  }
  /** What another tab has sent meanwhile is not sent again. */
  const leaveSent = () => {
    const left = store.unsent(owner, waiting)
    if (left.length === waiting.length) return
    set(known, left)
    void read()
  }
  const change = (act: Act) => {
    meet()
    // What is stored anew would be sent again.
    leaveSent()
    const whole: Change = { ...act, id: newId(), at: now() }
    set(known, withChange(waiting, whole))
    void send()
  }
  const restore = (stored: readonly Change[], of: string) => {
    if (of !== owner || stored.length === 0) return
    const own = new Set(waiting.map(({ id }) => id))
    set(known, [...stored.filter(({ id }) => !own.has(id)), ...waiting])
    void send()
  }
  const meet = (): boolean => {
    const next = personOf(client)
    const nextOwner = ownerOf(client)
    if (nextOwner !== owner) {
      owner = nextOwner
      waiting = []
      const stored = owner === '' ? [] : store.load(owner)
      if (stored instanceof Promise) void stored.then((changes) => restore(changes, nextOwner))
      else restore(stored, nextOwner)
    }
    if (next === person) return false
    person = next
    set(NOTHING)
    return true
  }
  const find = (id: string) => shown.items.find((item) => item.id === id)
  const markRead = (id: string, isRead = true) => {
    const item = find(id)
    if (isRead && item?.readAt === null) report(client, 'impression', item)
    change({ kind: 'read', item: id, value: isRead })
  }
  return {
    snapshot: () => shown,
    subscribe: (listener) => {
      listeners.add(listener)
      if (listeners.size === 1) {
        const synced = client.on('synced', () => void send().then(read))
        stop = [synced, client.subscribe(() => void (meet() && read()))]
        meet()
        void read()
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) for (const end of stop.splice(0)) end()
      }
    },
    list,
    more: async () => {
      const { nextCursor, revision } = known
      if (nextCursor === null) return
      try {
        const page = await list({ cursor: nextCursor })
        if (known.revision !== revision || page.revision !== revision) await read()
        else set({ ...known, items: [...known.items, ...page.items], nextCursor: page.nextCursor, error: undefined })
      } catch (error) {
        set({ ...known, error })
      }
    },
    markRead,
    archive: (id, isArchived = true) => change({ kind: 'archived', item: id, value: isArchived }),
    readAll: () => {
      const [newest] = shown.items
      if (!newest) return
      change({ kind: 'readAll', upTo: newest.id, seen: shown.items.map(({ id }) => id) })
    },
    click: (id) => {
      const item = find(id)
      if (!item) return
      report(client, 'cta_click', item)
      if (item.readAt === null) markRead(id)
    },
  }
}

/** What is known, with the changes that wait laid over it. */
function show({ items, unread, nextCursor, isLoading, error }: Known, waiting: readonly Change[], isKept: boolean): InboxSnapshot {
  const changed = items.map((item) => waiting.reduce(applied, item))
  const isUnread = ({ readAt, archivedAt }: InboxItem) => readAt === null && archivedAt === null
  const read = items.filter(isUnread).length - changed.filter(isUnread).length
  return {
    items: changed.filter(({ archivedAt }) => archivedAt === null),
    unread: Math.max(0, unread - read),
    isLoading,
    hasMore: nextCursor !== null,
    error,
    isKept: isKept || waiting.length === 0,
  }
}

/** The first page anew; older ones stay while nothing of the inbox is another. */
function withOlder(known: Known, page: InboxPage): InboxPage {
  if (page.revision !== known.revision || known.items.length <= page.items.length) return page
  const first = new Set(page.items.map(({ id }) => id))
  return { ...page, items: [...page.items, ...known.items.filter(({ id }) => !first.has(id))], nextCursor: known.nextCursor }
}

/** Revisions are of one person; texts of one language. */
function personOf(client: Pick<Client, 'snapshot'>): string {
  const { deviceId, userId, consent, locale, channels } = client.snapshot()
  return JSON.stringify([deviceId, userId, consent, locale, channels.inApp])
}

/** Whose changes are stored: of whom nothing is known yet nothing is. */
function ownerOf(client: Pick<Client, 'snapshot'>): string {
  const { deviceId, userId } = client.snapshot()
  return deviceId ? JSON.stringify([deviceId, userId ?? null]) : ''
}

function report(client: Pick<Client, 'track'>, type: string, { id, campaignId }: InboxItem): void {
  if (campaignId !== undefined) client.track({ type, blockKey: 'journey_message', instanceId: `msg_${id}`, campaignId })
}

/** No answer, too many requests, or a server that is away: the change is right and comes later. */
function isForLater({ status, code }: ContentFlowError): boolean {
  return !status || status === 429 || status >= 500 || code === 'DEVICE_STATE_CHANGED'
}

const now = () => new Date().toISOString()
const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
