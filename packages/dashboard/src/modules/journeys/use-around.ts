import { LIMITS } from '@contentflow/core/limits.ts'
import type { Channel, Locale, Segment, Webhook } from '@contentflow/server/wire.ts'
import { useMemo } from 'react'
import { usePages, useRead } from '../../data.ts'
import { useAll } from '../content/use-all.ts'
import type { Surroundings } from './draft/faults.ts'

type Names = ReadonlyMap<string, string>
/** The things of the workspace that journeys refer to. Undefined: not loaded yet. */
export type Around = {
  locales: Locale[] | undefined
  channels: ReadonlySet<string> | undefined
  segments: Names | undefined
  fences: Names | undefined
  endpoints: Endpoints | undefined
}
/** By id. */
type Endpoints = ReadonlyMap<string, { name: string; isOn: boolean }>

export function useAround(): Around {
  const locales = useRead<{ locales: Locale[] }>('/locales').data?.locales
  const channels = useRead<{ channels: Channel[] }>('/notifications/channels', { limit: 100 }).data?.channels
  const segments = useNames(useAll(usePages<Segment>('/segments', 'segments', { limit: 200 }), LIMITS.segmentsPerWorkspace))
  const fences = useNames(
    useAll(usePages<{ id: string; name: string }>('/geofences', 'geofences', { limit: 200 }), LIMITS.geofencesPerWorkspace),
  )
  const webhooks = useRead<{ webhooks: Webhook[] }>('/webhooks', { limit: 100 }).data?.webhooks
  const endpoints = useMemo(
    () => webhooks && new Map(webhooks.map(({ id, url, description, active }) => [id, { name: description || url, isOn: active }])),
    [webhooks],
  )
  const connected = useMemo(() => channels && new Set(channels.filter(({ active }) => active).map(({ type }) => type)), [channels])
  return { locales, channels: connected, segments, fences, endpoints }
}

function useNames({
  items,
  isLoading,
  error,
  hasMore,
}: {
  items: { id: string; name: string }[]
  isLoading: boolean
  error: Error | null
  hasMore: boolean
}) {
  return isLoading || error || hasMore ? undefined : new Map(items.map(({ id, name }) => [id, name]))
}

/** In the form that the checks need: a segment is known by its id and by its name. */
export function surroundingsOf({ locales, channels, segments, fences, endpoints }: Around): Surroundings {
  const source = locales?.find((locale) => locale.source)?.code
  return {
    ...(locales && { locales: locales.map(({ code }) => code) }),
    ...(source !== undefined && { sourceLocale: source }),
    ...(channels && { channels }),
    ...(segments && { segments: new Set([...segments.keys(), ...segments.values()]) }),
    ...(fences && { fences: new Set(fences.keys()) }),
    ...(endpoints && { endpoints: new Map([...endpoints].map(([id, { isOn }]) => [id, isOn])) }),
  }
}
