/**
 * Who an application key is, answered from this process's memory: one look-up a request, no hash, no SQL.
 *
 * Always true: an entry is used only while the settings of its workspace are the ones it was checked under;
 * a change of keys, suspension, policy, sandbox or plan marks those settings stale, and the next request
 * checks again. When the database cannot be asked, what was known goes on being served; a key never seen
 * before is "cannot be checked" (503), never "wrong" (401), because a client gives a key up for good on 401.
 * Unknown keys are not remembered: one made a moment later on another node must work at once. What they cost is in look-ups.ts.
 */
import { allFeatures, type Features } from '@contentflow/core/features.ts'
import { NO_PROOFS, proofModes, type ProofModes, type StoredProofModes } from '@contentflow/core/identity-proof/modes.ts'
import { allProtections, type Protections } from '@contentflow/core/protections.ts'
import type { Context } from '../../../context.ts'
import type { AppCaller } from '../../../http/callers/caller.ts'
import { toNetworks } from '../../../http/callers/networks.ts'
import type { Environment, SignalOf } from '../../../infra/signals/signals.ts'
import { hashSecret } from '../../../infra/secrets/crypto.ts'
import { GenerationalCache } from '../../../infra/cache/generational-cache.ts'
import { SingleFlight } from '../../../infra/cache/single-flight.ts'
import { newUse, type KeyUses } from './key-uses.ts'
import type { LookUps } from './look-ups.ts'
import { listChangedSettings, type KeyedSettings, type SettingsRow } from '../queries.ts'

/** One reading of a workspace's settings, from its beginning on. `changedAt` is that of the row, once it is there. */
type Known = { row: Promise<KeyedSettings | undefined>; changedAt: number; isStale: boolean }
type Entry = { caller: AppCaller; checkedUnder: Known; served: Known; expiresAt: number }

/** Key texts held at a time; the least used is looked up again. */
const KEYS_HELD = 100_000
/** How often a look-up that a change overtakes is made before its outcome is taken as it is. */
const LOOKS = 3

export class KeyRing {
  readonly #ctx: Context
  readonly #uses: KeyUses
  readonly #lookUps: LookUps
  readonly #settings = new Map<string, Known>()
  readonly #entries = new GenerationalCache<string, Entry>(KEYS_HELD)
  readonly #loading = new SingleFlight<AppCaller | undefined>()

  constructor(ctx: Context, uses: KeyUses, lookUps: LookUps) {
    this.#ctx = ctx
    this.#lookUps = lookUps
    ctx.metrics.watchCache('keys', 'entries', () => this.#entries.size)
    this.#uses = uses
    const hear = ({ workspaceId, changedAt = Infinity }: SignalOf<'settings'>) => {
      const known = this.#settings.get(workspaceId)
      if (known && changedAt > known.changedAt) known.isStale = true
    }
    ctx.signals.on('settings', hear, listChangedSettings)
  }

  /** The caller when it is known and nothing changed since; undefined sends the request to `check`. */
  recall(key: string): AppCaller | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.checkedUnder.isStale || entry.served.isStale || entry.expiresAt <= this.#ctx.clock.ms()) return undefined
    return entry.caller
  }

  /** Looks the key up. Undefined: it opens nothing. Throws when it cannot be checked and was never known. */
  check(key: string): Promise<AppCaller | undefined> {
    return this.#loading.run(key, () => this.#check(key))
  }

  async #check(key: string): Promise<AppCaller | undefined> {
    const parsed = parseAppKey(key)
    if (!parsed) return undefined
    try {
      return await this.#look(key, parsed)
    } catch (error) {
      const known = this.#entries.get(key)
      if (!known || known.expiresAt <= this.#ctx.clock.ms()) throw error
      this.#ctx.log.warn({ err: error }, 'a key could not be checked again; what was known of it is used')
      return known.caller
    }
  }

  async #look(key: string, parsed: ParsedKey): Promise<AppCaller | undefined> {
    this.#ctx.faults.check('key_validation')
    for (let attempt = 1; ; attempt++) {
      const entry = await this.#lookOnce(key, parsed)
      // Whoever comes after a change may wait for a look-up that began before it: then it is made again.
      if (entry && attempt < LOOKS && (entry.checkedUnder.isStale || entry.served.isStale)) continue
      if (entry) this.#entries.set(key, entry)
      else this.#entries.delete(key)
      return entry?.caller
    }
  }

  async #lookOnce(key: string, parsed: ParsedKey): Promise<Entry | undefined> {
    const first = await this.#find(key, parsed)
    const checkedUnder = first && this.#reading(first.workspaceId)
    const owner = await checkedUnder?.row
    if (!checkedUnder || !owner || owner.is_resting || (parsed.credential === 'derived' && !this.#mayDerive(owner))) return undefined
    // Read again under the settings it is checked under: a revocation between the two would never be noticed.
    const found = await this.#find(key, parsed)
    if (!found) return undefined
    const served = found.environment === 'test' && owner.sandbox_id ? this.#reading(owner.sandbox_id) : checkedUnder
    const servedRow = await served.row
    if (!servedRow || servedRow.is_resting) return undefined
    return {
      caller: { ...describe(found, parsed.credential, owner, servedRow), ...(parsed.credential !== 'derived' && this.#noting(found)) },
      checkedUnder,
      served,
      expiresAt: found.expiresAt ?? Infinity,
    }
  }

  /** A derived key is no row. */
  #noting({ workspaceId, id }: FoundKey): Pick<AppCaller, 'noteUse'> {
    const use = newUse(workspaceId, id)
    return { noteUse: (request) => this.#uses.note(use, request) }
  }

  async #find(key: string, parsed: ParsedKey): Promise<FoundKey | undefined> {
    if (parsed.credential === 'derived') return { id: key, workspaceId: parsed.workspaceId, environment: parsed.environment }
    const row = await this.#lookUps.key(hashSecret(key))
    if (!row || row.kind !== parsed.credential) return undefined
    const { expires_at: end, allowed_origins: origins, allowed_cidrs: cidrs } = row
    if (end && end.getTime() <= this.#ctx.clock.ms()) return undefined
    const bounds = {
      ...(end && { expiresAt: end.getTime() }),
      ...(origins && { allowedOrigins: origins }),
      ...(cidrs && { allowedNetworks: toNetworks(cidrs) }),
    }
    return { id: row.id, workspaceId: row.workspace_id, environment: row.environment, ...bounds }
  }

  #mayDerive(row: SettingsRow): boolean {
    return row.derived_keys_enabled && this.#ctx.config.areDerivedKeysOn
  }

  /** The settings since the latest change; many requests share one reading, and a change told meanwhile makes it stale. */
  #reading(workspaceId: string): Known {
    const held = this.#settings.get(workspaceId)
    if (held && !held.isStale) return held
    const row = this.#lookUps.settings(workspaceId)
    const known: Known = { row, changedAt: -Infinity, isStale: false }
    this.#settings.set(workspaceId, known)
    const forget = () => {
      known.isStale = true
      if (this.#settings.get(workspaceId) === known) this.#settings.delete(workspaceId)
    }
    row.then((read) => (read ? (known.changedAt = read.settings_changed_at.getTime()) : forget()), forget)
    return known
  }
}

type FoundKey = { id: string; workspaceId: string; environment: Environment; expiresAt?: number } & Pick<
  AppCaller,
  'allowedOrigins' | 'allowedNetworks'
>
type ParsedKey = { credential: 'publishable' | 'secret' } | { credential: 'derived'; workspaceId: string; environment: Environment }

/** The four texts an application key can have. A workspace id holds no underscore, so each splits at its first one (G-02). */
function parseAppKey(key: string): ParsedKey | undefined {
  if (/^[a-z0-9]{8,32}_cfpk[0-9a-f]{40}$/.test(key)) return { credential: 'publishable' }
  if (/^pk_(live|test)_[0-9a-f]{40}$/.test(key)) return { credential: 'secret' }
  const derived = /^([a-z0-9]{8,32})_(app|test)$/.exec(key)
  return derived?.[1] ? { credential: 'derived', workspaceId: derived[1], environment: derived[2] === 'app' ? 'live' : 'test' } : undefined
}

function describe(found: FoundKey, credential: AppCaller['credential'], owner: SettingsRow, served: SettingsRow): AppCaller {
  // C-SBX-09: a retired test environment without a sandbox reads live content and writes nothing.
  const isRetired = found.environment === 'test' && owner.test_retired && !owner.is_sandbox && served === owner
  return {
    kind: 'app',
    credential,
    keyId: found.id,
    ownerId: owner.id,
    workspaceId: served.id,
    environment: found.environment,
    ...(found.allowedOrigins && { allowedOrigins: found.allowedOrigins }),
    ...(found.allowedNetworks && { allowedNetworks: found.allowedNetworks }),
    view: isRetired ? 'live' : found.environment,
    requestsPerMinute: served.requests_per_minute,
    features: allFeatures(served.features as Partial<Features>),
    protections: allProtections(served.protections as Partial<Protections>),
    proofs: proofsOf(served, credential, found.environment),
  }
}

/** A secret key is the app's own server, which knows for whom it speaks. */
function proofsOf(served: SettingsRow, credential: AppCaller['credential'], environment: Environment): ProofModes {
  const modes = credential === 'secret' ? NO_PROOFS : proofModes(served.identity_verification as StoredProofModes, environment)
  return modes.userToken === 'off' && modes.deviceProof === 'off' ? NO_PROOFS : modes
}
