/** The public view of the state: one immutable value that stays the same object while nothing in it changes. */

import type { State } from './state.ts'
import type { Block, ClientStatus, Snapshot } from '../types.ts'

/** Locales that are written from right to left: these languages unless their code names another script, and these scripts. */
const RTL = /^(ar|ckb|dv|fa|he|iw|ji|nqo|ps|sd|syr|ug|ur|yi)\b(?!.*-[a-z]{4}\b)|-(adlm|arab|hebr|mand|nkoo|rohg|samr|syrc|thaa)\b/i

/** The snapshot of a state; `before` itself when it says the same. */
export function snapshotOf(state: State, before?: Snapshot, beforeState?: State): Snapshot {
  const { content, texts, lanes, rejection } = state
  const isSameContent = before && beforeState?.content?.blocks === content?.blocks && beforeState?.over === state.over
  const next: Snapshot = {
    status: statusOf(state),
    // A read that failed leaves nothing to wait for: the defaults stand in until it is answered.
    isReady: !!((content && texts) || lanes.sync.attempt || lanes.strings.attempt || rejection),
    blocks: isSameContent ? before.blocks : blocksOf(state),
    config: content?.config,
    strings: texts?.catalog,
    locale: state.locale,
    direction: RTL.test(texts?.catalog.locale ?? state.locale ?? '') ? 'rtl' : 'ltr',
    environment: state.environment,
    deviceId: state.deviceId,
    userId: state.link.userId,
    consent: state.link.consent,
    channels: state.channels,
  }
  return before && isSame(before, next) ? before : next
}

function blocksOf({ content, over, settings: { blockKeys, defaults } }: State): readonly Block[] {
  const blocks = (content ?? defaults)?.blocks ?? []
  return blocks.filter(({ key, instanceId }) => !over.includes(instanceId) && (blockKeys?.includes(key) ?? true))
}

function statusOf({ phase, isOffline, isAnswered }: State): ClientStatus {
  if (phase === 'stopped' || phase === 'rejected') return phase
  if (isOffline) return 'offline'
  return isAnswered ? 'ready' : 'loading'
}

function isSame(a: Snapshot, b: Snapshot): boolean {
  return (Object.keys(b) as (keyof Snapshot)[]).every((name) => a[name] === b[name])
}
