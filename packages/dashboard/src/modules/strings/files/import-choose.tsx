import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { LIMITS } from '@contentflow/core/limits.ts'
import { headerOf, type ColumnTarget } from '@contentflow/core/strings/import-columns.ts'
import { replaceHeader } from '@contentflow/core/strings/parse-csv.ts'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FileDrop } from '../../../ui/fields/file-drop.tsx'
import type { Import, Languages } from '../api.ts'
import { ImportColumns } from './import-columns.tsx'
import { recallColumns, rememberColumns } from './import-columns-memory.ts'
import { describeFile, type FileFault, type ReadableFile } from './import-file.ts'
import { useImportTexts } from './import-texts.ts'

type Chosen = { name: string; ok: true; file: ReadableFile } | { name: string; ok: false; fault: FileFault }

/** A file, and what it is, before it is sent. */
export function ImportChoose({ languages }: { languages: Languages }) {
  const t = useImportTexts()
  const [chosen, setChosen] = useState<Chosen>()
  const [targets, setTargets] = useState<ColumnTarget[]>([])
  const { workspace } = useSession()
  const locales = { source: languages.source?.code ?? 'en', translated: languages.translated.map(({ code }) => code) }
  const check = useWrite<ReadableFile, Import>(
    ({ csv, name, header }) => {
      const named = headerOf(header, targets, locales)
      return {
        path: '/strings/imports',
        method: 'POST',
        body: { csv: named === null ? csv : replaceHeader(csv, named), fileName: name.slice(-200) },
      }
    },
    { stale: ['/strings/imports'], showsError: true },
  )
  const send = (file: ReadableFile) => {
    rememberColumns(workspace.id, file.header, targets)
    check.mutate(file)
  }
  const choose = async (file: File) => {
    check.reset()
    // A file that is far too large is not read at all.
    if (file.size > LIMITS.importBytes) return setChosen({ name: file.name, ok: false, fault: { fault: 'too_large', bytes: file.size } })
    const content = new Uint8Array(await file.arrayBuffer())
    const described = describeFile(file.name, content, locales, recallColumns(workspace.id))
    setChosen({ name: file.name, ...described })
    if (described.ok) setTargets(described.file.suggested)
  }
  return (
    <Stack gap="md">
      <FileDrop
        title={t('drop')}
        choose={t('choose')}
        text={t('format')}
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        onFile={(file) => void choose(file)}
      />
      {chosen && !chosen.ok && <FileRefused name={chosen.name} fault={chosen.fault} />}
      {chosen?.ok && (
        <Paper withBorder p="md">
          <Stack gap="md">
            <FileSummary file={chosen.file} />
            <ImportColumns file={chosen.file} targets={targets} languages={languages} onChange={setTargets} />
            {check.error && <Failure error={check.error} />}
            <Group gap="xs">
              <Button loading={check.isPending} disabled={!targets.includes('key')} onClick={() => send(chosen.file)}>
                {t('check')}
              </Button>
              <Button variant="subtle" color="gray" onClick={() => setChosen(undefined)}>
                {t('anotherFile')}
              </Button>
            </Group>
            <Text size="xs" c="dimmed">
              {t('checkText')}
            </Text>
          </Stack>
        </Paper>
      )}
    </Stack>
  )
}

function FileSummary({ file }: { file: ReadableFile }) {
  const t = useImportTexts()
  const format = useFormat()
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <IconFileSpreadsheet size={20} aria-hidden />
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {file.name}
        </Title>
      </Group>
      <Text size="sm">
        {t('fileFacts', {
          count: file.rows,
          rows: format.number(file.rows),
          size: format.number(Math.ceil(file.bytes / 1_000)),
          separator: t(`separator_${file.separator}`),
        })}
      </Text>
    </Stack>
  )
}

function FileRefused({ name, fault }: { name: string; fault: FileFault }) {
  const t = useImportTexts()
  const format = useFormat()
  const numbers = { limit: format.number(LIMITS.stringsImportRows), megabytes: format.number(LIMITS.importBytes / 1_000_000) }
  return (
    <Alert role="alert" color="red" title={t('refusedFile', { name })}>
      <Stack gap={4}>
        <Text size="sm">
          {fault.fault === 'unreadable'
            ? t('fault_unreadable', { line: format.number(fault.line) })
            : fault.fault === 'too_many_rows'
              ? t('fault_too_many_rows', { ...numbers, rows: format.number(fault.rows) })
              : t(`fault_${fault.fault}`, numbers)}
        </Text>
        {'message' in fault && (
          <Text size="xs" dir="ltr" lang="en">
            {fault.message}
          </Text>
        )}
      </Stack>
    </Alert>
  )
}
