import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useCalendar } from '../../../calendar.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FileDrop } from '../../../ui/fields/file-drop.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import type { Import } from '../api.ts'
import { ColumnsForm } from './columns-form.tsx'
import { conversionsOf, draftOf, faultOf, headersOf, mappingOf, type Draft } from './draft.ts'
import { FileRefused } from './file/file-refused.tsx'
import { FileShape } from './file/file-shape.tsx'
import { rememberImport } from './memory.ts'
import { ACCEPT, openFile, type OpenFile, type Opened } from './file/open-file.ts'
import { OptionsForm } from './options-form.tsx'
import { placesOf } from './places.ts'
import type { Choice } from './file/read-table.ts'
import { keepBegun, type Reopened } from './reopened.ts'
import { startSending } from './sending.ts'
import { useImportTexts } from './texts.ts'

type Chosen = { file: File; opened: Opened }
type NewImportProps = {
  /** A file whose columns are changed again. */
  reopened: Reopened | undefined
  onStarted: (importId: string) => void
}

/** Chooses a file, looks at it and maps its columns. Nothing is sent before the button is pressed. */
export function NewImport({ reopened, onStarted }: NewImportProps) {
  const t = useImportTexts()
  const { chosen, error, isReading, choose, forget, keepOpen } = useChosenFile(reopened?.file)
  return (
    <Stack gap="md">
      {!chosen?.opened.ok && (
        <FileDrop
          title={t(isReading ? 'reading' : 'drop')}
          choose={t('choose')}
          text={t('format')}
          accept={ACCEPT}
          isBusy={isReading}
          onFile={(file) => void choose(file)}
        />
      )}
      {error && <Failure error={error} title={t('cannotRead')} />}
      {chosen && !chosen.opened.ok && <FileRefused name={chosen.file.name} fault={chosen.opened} />}
      {chosen?.opened.ok && (
        <Meaning
          // Read in another way, it is another table.
          key={chosen.opened.file.shape.fingerprint + JSON.stringify(choiceOf(chosen.opened.file))}
          file={chosen.opened.file}
          begun={chosen.opened.file === reopened?.file ? reopened.draft : undefined}
          isReading={isReading}
          onChoice={(choice) => void choose(chosen.file, choice)}
          onForget={forget}
          onStarted={(importId) => {
            keepOpen()
            onStarted(importId)
          }}
        />
      )}
    </Stack>
  )
}

function choiceOf({ shape: { encoding, separator, sheet, timeZone } }: OpenFile): Choice {
  return { ...(encoding && { encoding }), ...(separator && { separator }), sheet, ...(timeZone && { timeZone }) }
}

/** The file that is looked at; its reader ends with the page unless its rows are being sent. */
function useChosenFile(reopened: OpenFile | undefined) {
  const [chosen, setChosen] = useState<Chosen | undefined>(reopened && { file: reopened.original, opened: { ok: true, file: reopened } })
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const open = useRef<OpenFile>(reopened)
  const { timeZone } = useCalendar()
  const close = () => {
    open.current?.close()
    open.current = undefined
  }
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => close, [])
  const choose = async (file: File, choice?: Choice) => {
    setReading(true)
    setError(null)
    try {
      const opened = await openFile(file, { timeZone, ...choice })
      close()
      if (opened.ok) open.current = opened.file
      setChosen({ file, opened })
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
    setReading(false)
  }
  const forget = () => {
    close()
    setChosen(undefined)
  }
  const keepOpen = () => {
    open.current = undefined
  }
  return { chosen, error, isReading, choose, forget, keepOpen }
}

type MeaningProps = {
  file: OpenFile
  /** The mapping that it was sent with before. */
  begun: Draft | undefined
  isReading: boolean
  onChoice: (choice: Choice) => void
  onForget: () => void
  onStarted: (importId: string) => void
}

function Meaning({ file, begun, isReading, onChoice, onForget, onStarted }: MeaningProps) {
  const t = useImportTexts()
  const { workspace } = useSession()
  const [suggested] = useState<Draft>(() => draftOf(file.shape, 'live'))
  const [draft, setDraft] = useState(begun ?? suggested)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const begin = useBegin(file, onStarted)
  const fault = faultOf(draft, Date.now())
  return (
    <Stack gap="md">
      <UnsavedGuard isDirty={draft !== suggested} />
      <FileShape file={file} isReading={isReading} onChoice={(choice) => onChoice({ ...choiceOf(file), ...choice })} />
      <ColumnsForm file={file} draft={draft} onDraft={setDraft} />
      <OptionsForm draft={draft} isSandbox={workspace.isSandbox} onChange={change} />
      <Paper withBorder p="md">
        <Stack gap="sm">
          {begin.error && <Failure error={begin.error} />}
          {fault && (
            <Text size="sm" c="red" role="status">
              {t(fault)}
            </Text>
          )}
          <Group gap="xs">
            <Button disabled={fault !== undefined || isReading} loading={begin.isPending} onClick={() => begin.mutate(draft)}>
              {t('begin')}
            </Button>
            <Button variant="subtle" color="gray" onClick={onForget}>
              {t('anotherFile')}
            </Button>
          </Group>
          <Text size="xs" c="dimmed">
            {t('beginText')}
          </Text>
        </Stack>
      </Paper>
    </Stack>
  )
}

function useBegin(file: OpenFile, onStarted: (importId: string) => void) {
  const { workspace } = useSession()
  const { timeZone } = useCalendar()
  const begin = useWrite<Draft, Import>(
    (draft) => {
      const mapping = mappingOf(draft)
      return {
        path: '/enrichment/imports',
        method: 'POST',
        body: {
          fileName: file.name.slice(-200),
          headers: headersOf(mapping),
          mapping,
          ...(draft.environment === 'test' && { env: 'test' }),
          ...(draft.saveAs.trim() !== '' && { saveAsSource: draft.saveAs.trim() }),
        },
      }
    },
    { stale: ['/enrichment'], showsError: true },
  )
  const start = ({ importId, headers }: Import, draft: Draft) => {
    const conversions = conversionsOf(draft, timeZone)
    const { fingerprint, rows } = file.shape
    rememberImport(workspace.id, { importId, fingerprint, rows, choice: choiceOf(file), conversions: [...conversions] })
    keepBegun(importId, { file, draft })
    void startSending({ importId, workspaceId: workspace.id, file, columns: placesOf(headers, file, conversions), staged: 0 })
    onStarted(importId)
  }
  return { ...begin, mutate: (draft: Draft) => begin.mutate(draft, { onSuccess: (made) => start(made, draft) }) }
}
