import { Alert, Button, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import type { Locale, Namespace } from '../api.ts'
import { saveExport, type ExportChoice } from './export-file.ts'
import { useLanguageName } from '../language-name.ts'
import { useTexts } from '../texts.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Which part of the catalog goes into a CSV file. */
export function ExportDialog({ isOpen, onClose, translated }: { isOpen: boolean; onClose: () => void; translated: Locale[] }) {
  const t = useTexts()
  const format = useFormat()
  const nameOf = useLanguageName()
  const { workspace } = useSession()
  const [choice, setChoice] = useState<ExportChoice>({ locale: '', namespace: '', status: 'ok' })
  const set = (change: Partial<ExportChoice>) => setChoice((before) => ({ ...before, ...change }))
  const namespaces = usePages<Namespace>('/strings/namespaces', 'namespaces', { limit: 200 }, { when: isOpen }).items
  const save = useMutation({ mutationFn: () => saveExport(workspace.id, choice), onSuccess: onClose })
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('export')}>
      <Stack gap="md">
        <Text size="sm">{t('exportText')}</Text>
        <Select
          label={t('language')}
          data={translated.map((locale) => ({ value: locale.code, label: nameOf(locale) }))}
          value={choice.locale || null}
          onChange={(locale) => set({ locale: locale ?? '' })}
          placeholder={t('everyLanguage')}
          clearable
          clearButtonProps={{ 'aria-label': t('everyLanguage') }}
        />
        <Select
          label={t('namespace')}
          data={namespaces.map(({ namespace, strings }) => ({ value: namespace, label: `${namespace} (${format.number(strings)})` }))}
          value={choice.namespace || null}
          onChange={(namespace) => set({ namespace: namespace ?? '' })}
          placeholder={t('everyNamespace')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('everyNamespace') }}
        />
        <Radio.Group label={t('exportWhich')} value={choice.status} onChange={(status) => set({ status: status === 'all' ? 'all' : 'ok' })}>
          <Stack gap="xs" mt={6}>
            <Radio value="ok" label={t('exportOk')} />
            <Radio value="all" label={t('exportAll')} />
          </Stack>
        </Radio.Group>
        {choice.status === 'all' && <Alert color="orange">{t('exportAllWarning')}</Alert>}
        {save.error && <Failure error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button leftSection={<IconDownload size={16} aria-hidden />} loading={save.isPending} onClick={() => save.mutate()}>
            {t('download')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
