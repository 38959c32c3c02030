import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../../format.ts'
import { useCalendar } from '../../../calendar.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FileDrop } from '../../../ui/fields/file-drop.tsx'
import type { Import } from '../api.ts'
import { FileRefused } from './file/file-refused.tsx'
import { recallImport, rememberImport } from './memory.ts'
import { ACCEPT, openFile, type OpenFile, type Opened } from './file/open-file.ts'
import { placesOf, placesOfOngoing } from './places.ts'
import { startSending } from './sending.ts'
import { useImportTexts } from './texts.ts'
import type { ImportActions } from './use-import.ts'

type Refused = { name: string; why: 'otherFile' | Exclude<Opened, { ok: true }> }

/** The page was left while rows were being sent. The same file continues after the last row that arrived. */
export function ResumeImport({ held, actions }: { held: Import; actions: ImportActions }) {
  const t = useImportTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const { refused, error, isReading, take } = useSameFile(held)
  const staged = held.counts.rows
  const total = recallImport(workspace.id, held.importId)?.rows
  const rows = { count: staged, done: format.number(staged), total: format.number(total ?? 0) }
  if (!mayEdit) return <Text size="sm">{t('stagedRows', rows)}</Text>
  if (total !== undefined && staged >= total)
    return (
      <Stack gap="sm" align="start">
        <Text size="sm">{t('allStaged', rows)}</Text>
        <Button loading={actions.match.isPending} onClick={() => actions.match.mutate()}>
          {t('checkRows')}
        </Button>
      </Stack>
    )
  return (
    <Stack gap="md">
      <Alert color="blue" title={t('resumeTitle')}>
        {total === undefined ? t('stagedRows', rows) : t('stagedOf', rows)} {t('resumeText')}
      </Alert>
      <FileDrop
        title={isReading ? t('reading') : t('dropSame', { name: held.fileName })}
        choose={t('choose')}
        text={t('sameText')}
        accept={ACCEPT}
        isBusy={isReading}
        onFile={(file) => void take(file)}
      />
      {error && <Failure error={error} title={t('cannotRead')} />}
      {refused?.why === 'otherFile' && (
        <Alert role="alert" color="red" title={t('otherFileTitle', { name: refused.name })}>
          {t('otherFile')}
        </Alert>
      )}
      {refused && refused.why !== 'otherFile' && <FileRefused name={refused.name} fault={refused.why} />}
    </Stack>
  )
}

/** Takes a file only if it is the one the import was begun with, as far as can be told. */
function useSameFile(held: Import) {
  const { workspace } = useSession()
  const { timeZone } = useCalendar()
  const [refused, setRefused] = useState<Refused>()
  const [error, setError] = useState<Error | null>(null)
  const [isReading, setReading] = useState(false)
  const kept = recallImport(workspace.id, held.importId)
  const isSame = ({ name, shape }: OpenFile) =>
    placesOf(held.headers, { shape }).every(({ at }) => at >= 0) &&
    (kept ? shape.fingerprint === kept.fingerprint : name.slice(-200) === held.fileName && shape.rows >= held.counts.rows)
  const start = (file: OpenFile) => {
    const { importId, counts } = held
    const columns = placesOfOngoing(workspace.id, held, file, timeZone)
    if (!kept) rememberImport(workspace.id, { importId, fingerprint: file.shape.fingerprint, rows: file.shape.rows, choice: {} })
    void startSending({ importId, workspaceId: workspace.id, file, columns, staged: counts.rows })
  }
  const take = async (file: File) => {
    setReading(true)
    setError(null)
    setRefused(undefined)
    try {
      const opened = await openFile(file, { timeZone, ...kept?.choice })
      if (opened.ok && isSame(opened.file)) return start(opened.file)
      if (opened.ok) opened.file.close()
      setRefused({ name: file.name, why: opened.ok ? 'otherFile' : opened })
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    } finally {
      setReading(false)
    }
  }
  return { refused, error, isReading, take }
}
