import type { Placeholders } from '@contentflow/server/wire.ts'
import { lazy, Suspense } from 'react'
import { useRead } from '../../../data.ts'
import type { Environment } from '../../../ui/environment.tsx'

// Only fetched where there is something to tell.
const PlaceholderList = lazy(async () => ({ default: (await import('./placeholder-list.tsx')).PlaceholderList }))

/**
 * Tells of user ids such as `undefined`, which an app with a fault sends for everybody. Nothing where there are none.
 * `environment` left out: of those people the workspace is about.
 */
export function PlaceholderNotice({ environment }: { environment?: Environment }) {
  // What cannot be read is not told: the page is about something else.
  const { data } = useRead<Placeholders>('/contacts/placeholder-ids', { environment })
  if (!data || data.ids.length === 0) return null
  return (
    <Suspense>
      <PlaceholderList placeholders={data} environment={environment} />
    </Suspense>
  )
}
