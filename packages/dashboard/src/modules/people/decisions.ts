/** The ledger has one entry for every value that changed; people read one decision with all that it changed. */
import { CHANNELS, type Channel } from '@contentflow/core/identity/consent/consent.ts'
import { PRESETS } from '@contentflow/core/identity/consent/presets.ts'
import type { LedgerEntry } from './api.ts'

export type Decision = Omit<LedgerEntry, 'channel' | 'oldValue' | 'newValue'> & { key: string; changes: Change[] }
export type Change = { about: About; oldValue: boolean | null; newValue: boolean | null }
/** The subject of a value in the ledger. `waiting`: a flag that is kept until a suppression ends. */
export type About =
  | { kind: 'channel' | 'waiting'; channel: Channel }
  | { kind: 'topic' | 'required'; id: string }
  | { kind: 'analytics' | 'personalOptOut' | 'emailConfirmed' }
  /** How many messages a week they want. */
  | { kind: 'frequency'; limit: number }
  | { kind: 'other'; id: string }

/** Entries of one moment, one way and one asker belong together: newest first, and within one in the order they were written down. */
export function groupDecisions(entries: readonly LedgerEntry[]): Decision[] {
  const decisions: Decision[] = []
  for (const { channel, oldValue, newValue, ...origin } of entries) {
    const key = `${origin.recordedAt} ${origin.source} ${origin.keyId}`
    const change = { about: aboutOf(channel), oldValue, newValue }
    const last = decisions.at(-1)
    if (last?.key === key) last.changes.unshift(change)
    else decisions.push({ key, ...origin, changes: [change] })
  }
  return decisions
}

export function aboutOf(name: string): About {
  if (isChannel(name)) return { kind: 'channel', channel: name }
  if (name === 'analytics' || name === 'personalOptOut' || name === 'emailConfirmed') return { kind: name }
  const [, prefix, id = ''] = /^(saved|topic|required|frequency):(.*)$/s.exec(name) ?? []
  if (prefix === 'saved' && isChannel(id)) return { kind: 'waiting', channel: id }
  if (prefix === 'topic' || prefix === 'required') return { kind: prefix, id }
  if (prefix === 'frequency') return { kind: 'frequency', limit: Number(id) }
  return { kind: 'other', id: name }
}

function isChannel(name: string): name is Channel {
  return (CHANNELS as readonly string[]).includes(name)
}

/** The words people were shown for a topic or a required consent: those of its preset, else of any preset that has it; else the id. */
export function labelOf(kind: 'topic' | 'required', id: string, preset: string | null, language: 'en' | 'ar'): string {
  const own = preset === null ? undefined : PRESETS.get(preset)
  for (const { topics, requiredConsents } of own ? [own, ...PRESETS.values()] : PRESETS.values()) {
    const found = (kind === 'topic' ? topics : requiredConsents).find((each) => each.id === id)
    if (found) return found.label[language]
  }
  return id
}
