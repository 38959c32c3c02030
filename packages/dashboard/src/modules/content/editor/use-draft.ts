import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Json } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import { contentOf, type Instance } from './api.ts'
import { changesBetween, type Change } from './changes/changes.ts'
import { withValue, type Place } from './changes/places.ts'

export type Draft = {
  /** The stored content that the form started from. */
  base: InstanceContent
  version: number
  content: InstanceContent
  changes: Change[]
  /** Somebody else saved a newer version while there are changes here. */
  isBehind: boolean
  change: (place: Place, value: Json | undefined) => void
  replace: (edit: (content: InstanceContent) => InstanceContent) => void
  discard: () => void
  /** Goes on from what is stored now; `content` keeps edits on top of it. */
  rebase: (instance: Instance, content?: InstanceContent) => void
}

/** The form's content. `found`: what this browser kept of it. Without edits it follows what is stored; with edits nothing is taken over by itself. */
export function useDraft(instance: Instance, found?: Pick<Draft, 'base' | 'version' | 'content'>): Draft {
  const [{ base, version, content }, setState] = useState(() => found ?? startFrom(instance))
  const changes = useMemo(() => changesBetween(base, content), [base, content])
  const rebase = useCallback((next: Instance, edited?: InstanceContent) => setState(startFrom(next, edited)), [])
  const replace = useCallback(
    (edit: (content: InstanceContent) => InstanceContent) => setState((before) => ({ ...before, content: edit(before.content) })),
    [],
  )
  const isNewer = instance.version > version
  useEffect(() => {
    if (isNewer && changes.length === 0) rebase(instance)
  }, [isNewer, changes.length, instance, rebase])
  return {
    base,
    version,
    content,
    changes,
    isBehind: isNewer && changes.length > 0,
    change: useCallback((place, value) => replace((edited) => withValue(edited, place, value)), [replace]),
    replace,
    discard: () => rebase(instance),
    rebase,
  }
}

function startFrom(instance: Instance, content: InstanceContent = contentOf(instance)) {
  return { base: contentOf(instance), version: instance.version, content }
}
