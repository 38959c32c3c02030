import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { contentOf, type Instance } from './api.ts'
import { changesBetween, type Change } from './changes/changes.ts'
import { withValue, type ChangeLocation } from './changes/places.ts'

export type Draft = {
  /** The stored content that the form started from. */
  base: InstanceContent
  version: number
  content: InstanceContent
  changes: Change[]
  /** Somebody else saved a newer version while there are changes here. */
  isBehind: boolean
  change: (place: ChangeLocation, value: Json | undefined) => void
  replace: (edit: (content: InstanceContent) => InstanceContent) => void
  discard: () => void
  /** Goes on from what is stored now; `content` keeps edits on top of it. */
  rebase: (instance: Instance, content?: InstanceContent) => void
  /** The content is sent to be stored: nothing is taken over until it was. */
  hold: () => void
  /** `saved`: what is stored of `sent` now, and what was typed since stays on top of it; undefined: it was refused. */
  release: (saved?: Instance, sent?: InstanceContent) => void
}

/** The form's content. `found`: what this browser kept of it. Without edits it follows what is stored; with edits nothing is taken over by itself. */
export function useDraft(instance: Instance, found?: Pick<Draft, 'base' | 'version' | 'content'>): Draft {
  const [{ base, version, content, isHeld }, setState] = useState((): Held => ({ ...(found ?? startFrom(instance)), isHeld: false }))
  const changes = useMemo(() => changesBetween(base, content), [base, content])
  const rebase = useCallback((next: Instance, edited?: InstanceContent) => setState({ ...startFrom(next, edited), isHeld: false }), [])
  const replace = useCallback(
    (edit: (content: InstanceContent) => InstanceContent) => setState((before) => ({ ...before, content: edit(before.content) })),
    [],
  )
  const isNewer = instance.version > version
  useEffect(() => {
    if (isNewer && changes.length === 0 && !isHeld) rebase(instance)
  }, [isNewer, changes.length, instance, rebase, isHeld])
  return {
    base,
    version,
    content,
    changes,
    isBehind: isNewer && changes.length > 0 && !isHeld,
    change: useCallback((place, value) => replace((edited) => withValue(edited, place, value)), [replace]),
    replace,
    discard: () => rebase(instance),
    rebase,
    hold: () => setState((before) => ({ ...before, isHeld: true })),
    release: (saved, sent) =>
      setState((typed) => ({
        ...(saved ? startFrom(saved, sent && changesBetween(sent, typed.content).length > 0 ? typed.content : undefined) : typed),
        isHeld: false,
      })),
  }
}

type Held = Pick<Draft, 'base' | 'version' | 'content'> & { isHeld: boolean }

function startFrom(instance: Instance, content: InstanceContent = contentOf(instance)) {
  return { base: contentOf(instance), version: instance.version, content }
}
