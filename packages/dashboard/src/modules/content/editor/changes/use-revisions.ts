import { usePages, type Pages } from '../../../../data.ts'
import { useAll } from '../../use-all.ts'
import { instancePath, type Instance, type Revision } from '../api.ts'

/** The newest revisions with their content; the list is read on until `wanted` is among them. */
export function useRevisions({ blockKey, id, version }: Instance, wanted: number | undefined): Pages<Revision> {
  const pages = usePages<Revision>(`${instancePath(blockKey, id)}/revisions`, 'revisions', { limit: 20 }, { every: 30_000 })
  const isMissing = wanted !== undefined && wanted >= 1 && wanted <= version && !pages.items.some(({ number }) => number === wanted)
  return useAll(pages, isMissing ? Infinity : 0)
}
