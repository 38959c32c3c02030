import { Badge } from '@mantine/core'
import type { Upload } from './api.ts'
import { useTexts } from './texts.ts'

const COLOURS = { completed: 'green', failed: 'red', rolled_back: 'gray' } as const

/** Whether what was loaded is there, in a word. */
export function UploadState({ upload: { status, expiresAt } }: { upload: Pick<Upload, 'status' | 'expiresAt'> }) {
  const t = useTexts()
  const hasEnded = status === 'completed' && expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <Badge color={hasEnded ? 'gray' : COLOURS[status]} variant="light" tt="none" radius="sm" styles={{ label: { overflow: 'visible' } }}>
      {t(hasEnded ? 'status_ended' : `status_${status}`)}
    </Badge>
  )
}
