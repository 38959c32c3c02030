import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useRefusal } from '../../refusals.ts'
import { useSession } from '../../session.tsx'
import { uploadFile, type Asset } from './api.ts'
import { useTexts } from './texts.ts'

type UploadItem = { id: number; name: string; state: 'sending' | 'done' | 'failed'; part: number; error?: string }
export type Uploads = {
  items: UploadItem[]
  /** Uploads one after another; resolves with those that arrived. */
  add: (files: readonly File[]) => Promise<Asset[]>
  dismiss: () => void
}

let made = 0

export function useUploads(): Uploads {
  const t = useTexts()
  const say = useRefusal()
  const format = useFormat()
  const client = useQueryClient()
  const { workspace } = useSession()
  const [items, setItems] = useState<UploadItem[]>([])

  const add = async (files: readonly File[]) => {
    const begun = files.map((file) => ({ id: ++made, file }))
    setItems((before) => [
      ...before.filter(({ state }) => state === 'sending'),
      ...begun.map(({ id, file }) => ({ id, name: file.name, state: 'sending' as const, part: 0 })),
    ])
    const arrived: Asset[] = []
    for (const { id, file } of begun) {
      const update = (change: Partial<UploadItem>) =>
        setItems((before) => before.map((item) => (item.id === id ? { ...item, ...change } : item)))
      try {
        if (file.size > LIMITS.mediaBytes) throw new Error(t('tooLarge', { size: format.bytes(LIMITS.mediaBytes) }))
        arrived.push(await uploadFile(workspace.id, file, (part) => update({ part })))
        update({ state: 'done', part: 1 })
      } catch (error) {
        const isLost = error instanceof ApiError && error.status === 0
        update({ state: 'failed', error: isLost ? t('connectionLost') : say(error as Error) })
      }
    }
    await client.invalidateQueries({ predicate: ({ queryKey: [owner, path] }) => owner === workspace.id && path === '/content' })
    return arrived
  }
  return { items, add, dismiss: useCallback(() => setItems([]), []) }
}
