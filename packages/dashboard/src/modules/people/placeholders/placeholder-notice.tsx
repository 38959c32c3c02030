import type { Placeholders } from '@contentflow/server/wire.ts'
import { lazy, Suspense } from 'react'
import { useRead } from '../../../data.ts'
import type { Environment } from '../../../ui/environment.tsx'

// Loaded only where there is something to show.
const PlaceholderList = lazy(async () => ({ default: (await import('./placeholder-list.tsx')).PlaceholderList }))

/**
 * Warns of user ids such as `undefined`, which a faulty app sends for everybody. Hidden where there are none. Without
 * `environment`: that of the people the workspace is about.
 */
export function PlaceholderNotice({ environment }: { environment?: Environment }) {
  // An error is not shown, because the page is about something else.
  const { data } = useRead<Placeholders>('/contacts/placeholder-ids', { environment })
  if (!data || data.ids.length === 0) return null
  return (
    <Suspense>
      <PlaceholderList placeholders={data} environment={environment} />
    </Suspense>
  )
}
